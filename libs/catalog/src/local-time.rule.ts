import { type Instant, instantOf, millisecondsOf } from '#kernel';

const DAY = 24 * 60 * 60 * 1000;

/** By zone: making one takes ten times as long as asking it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone);
  if (known) return known;
  const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', ...digits });
  clocks.set(timeZone, clock);
  return clock;
};

/** Whether a text names an IANA zone. */
export const isTimeZone = (timeZone: string): boolean => {
  try {
    clockOf(timeZone);
    return true;
  } catch {
    return false;
  }
};

const partsAt = (timeZone: string, milliseconds: number): Readonly<Partial<Record<string, string>>> =>
  Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(milliseconds)
      .map(({ type, value }) => [type, value]),
  );

/** Milliseconds by which the clocks of an IANA zone are ahead of UTC at a moment. */
const offsetAt = (timeZone: string, milliseconds: number): number => {
  const { year, month, day, hour, minute } = partsAt(timeZone, milliseconds);
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`);
  return local - Math.floor(milliseconds / 60_000) * 60_000;
};

/** Many flights leave at one time of one day: a zone is asked once for all of them. Emptied once it has `MOST`. */
const moments = new Map<string, Instant>();
const MOST = 20_000;

/** The moment of a zone's local date and time (HH:mm): the first of a repeated hour; a skipped time counts from before the change. */
export const momentOf = (date: string, time: string, timeZone: string): Instant => {
  const key = `${date} ${time} ${timeZone}`;
  const known = moments.get(key);
  if (known !== undefined) return known;
  const asUtc = Date.parse(`${date}T${time}Z`);
  const offsets = [offsetAt(timeZone, asUtc - DAY), offsetAt(timeZone, asUtc + DAY)] as const;
  const both = offsets.map((offset) => asUtc - offset).sort((one, other) => one - other);
  const moment = both.find((one) => one + offsetAt(timeZone, one) === asUtc) ?? asUtc - offsets[0];
  const instant = instantOf(moment);
  if (moments.size >= MOST) moments.clear();
  moments.set(key, instant);
  return instant;
};

/** By zone, the minute that was asked for last and its date: a search asks for it of each flight. */
const dates = new Map<string, { readonly minute: number; readonly date: string }>();

export const dateAt = (instant: Instant, timeZone: string): string => {
  const milliseconds = millisecondsOf(instant);
  const minute = Math.floor(milliseconds / 60_000);
  const known = dates.get(timeZone);
  if (known?.minute === minute) return known.date;
  const { year, month, day } = partsAt(timeZone, milliseconds);
  const date = `${year}-${month}-${day}`;
  dates.set(timeZone, { minute, date });
  return date;
};

/** A date so many days later. Dates are counted and not hours, so no change of clocks skips or repeats one. */
export const later = (date: string, days: number): string =>
  instantOf(Date.parse(`${date}T00:00:00Z`) + days * DAY).slice(0, 10);

/** The days from one date to another, both included: 0 or less where the other is earlier. */
export const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY) + 1;

/** 1 (Monday) to 7. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

/** Whether a text is a date of the calendar, YYYY-MM-DD. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && later(text, 0) === text;
