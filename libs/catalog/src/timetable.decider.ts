import { type SaleDaysEvent, saleDaysEvents, streamType, type TimetableEvent, timetableEvents } from '#events';
import { canonicalJson, type Decider, DomainError, type Instant } from '#kernel';
import type { Flight } from './flight.decider.js';
import { dateAt, later, weekdayOf } from './local-time.rule.js';

/** The terms of the departures of one number from `firstDate` (local) on. */
export type Timetable = Extract<TimetableEvent, { type: 'TimetableScheduled' }>['data'];

export type TimetableTerms = Omit<Timetable, 'firstDate'>;

/** The local dates that were opened, both included. */
export interface SaleDays {
  readonly first: string;
  readonly last: string;
}

/** How many local days of a timetable are on sale, today included. */
export const DAYS_ON_SALE = 60;

export type TimetableState =
  | { readonly status: 'unscheduled' }
  /** By first date. Those before another one that holds for all days on sale are forgotten (rule 15). */
  | { readonly status: 'scheduled'; readonly terms: readonly Timetable[] };

interface ScheduleTimetable {
  readonly type: 'ScheduleTimetable';
  readonly terms: TimetableTerms;
  /** The first local date that they are to hold for: no day on sale, where other terms hold for it. */
  readonly firstDate: string;
}

/** What a search and the page of a flight rest on. */
const FIXED = ['slug', 'from', 'to', 'currency', 'timeZone'] as const satisfies readonly (keyof TimetableTerms)[];

/** The first field in which terms differ from those of a timetable on sale and may not; undefined: there is none. */
export const fixedTerm = (state: TimetableState, wanted: TimetableTerms): string | undefined =>
  FIXED.find((field) => state.status === 'scheduled' && state.terms.at(-1)?.[field] !== wanted[field]);

/** The rules of `timetable-<flightNumber>`: days on sale keep their terms. */
export const timetableDecider: Decider<TimetableState, ScheduleTimetable, TimetableEvent> = {
  initialState: () => ({ status: 'unscheduled' }),

  decide: ({ terms, firstDate }, state) => {
    const scheduled: TimetableEvent = { type: 'TimetableScheduled', data: { ...terms, firstDate } };
    const latest = state.status === 'scheduled' ? state.terms.at(-1) : undefined;
    if (!latest) return [scheduled];
    const field = fixedTerm(state, terms);
    if (field !== undefined) throw new DomainError('invalid_flight', { field });
    const { firstDate: since, ...known } = latest;
    if (canonicalJson(known) === canonicalJson(terms)) return [];
    // A reader of the days on sale before they went on would change days that are.
    if (firstDate < since) throw new DomainError('invalid_flight', { field: 'firstDate' });
    return [scheduled];
  },

  evolve: (state, { data }) => {
    const known = state.status === 'scheduled' ? state.terms.filter(({ firstDate }) => firstDate < data.firstDate) : [];
    const ended = known.findLastIndex(({ firstDate }) => firstDate <= later(data.firstDate, -2 * DAYS_ON_SALE));
    return { status: 'scheduled', terms: [...known.slice(Math.max(0, ended)), data] };
  },
};

/** `timetable-<flightNumber>`: what its departures are until their own streams begin. */
export const timetables = streamType({
  category: 'timetable',
  id: (flightNumber: string) => flightNumber,
  events: timetableEvents,
  decider: timetableDecider,
});

type OpenDays = { readonly type: 'OpenDays'; readonly first: string; readonly last: string };

/** The rules of `days-on-sale`: each day is opened once, for all timetables, and none is left out (rule 38). */
export const saleDaysDecider: Decider<SaleDays | null, OpenDays, SaleDaysEvent> = {
  initialState: () => null,
  decide: ({ first, last, now }, opened) => {
    const next = opened ? later(opened.last, 1) : first;
    return last < next ? [] : [{ type: 'DaysOpened', data: { first: next, last, openedAt: now } }];
  },
  evolve: (opened, { data }) => ({ first: opened?.first ?? data.first, last: data.last }),
};

/** `days-on-sale`: which local dates of all timetables were opened. */
export const saleDays = streamType({
  category: 'days',
  id: (on: 'on-sale') => on,
  events: saleDaysEvents,
  decider: saleDaysDecider,
});

/** The id of a departure; opaque to everybody else. Its dot is in no flight number. */
export const departureId = (flightNumber: string, date: string): string => `${flightNumber}.${date}`;

/** The number and the date of a departure's id; null: it is the id of no departure. */
export const departureNamed = (flightId: string): { readonly flightNumber: string; readonly date: string } | null => {
  const [, flightNumber, date] = /^([^.]+)\.(\d{4}-\d{2}-\d{2})$/.exec(flightId) ?? [];
  return flightNumber !== undefined && date !== undefined ? { flightNumber, date } : null;
};

/** The terms of a date; undefined: the flight does not go on it. */
export const termsOn = (terms: readonly Timetable[], date: string): Timetable | undefined => {
  const held = terms.findLast(({ firstDate }) => firstDate <= date);
  return held?.days.includes(String(weekdayOf(date))) ? held : undefined;
};

export const departureBy = (
  { firstDate: _, days: __, flightNumber, slug, from, fromCity, to, toCity, ...terms }: Timetable,
  departureDate: string,
): Flight => ({
  flightId: departureId(flightNumber, departureDate),
  ...{ flightNumber, slug, from, fromCity, to, toCity, departureDate },
  ...terms,
});

/** A departure by its id as its timetable has it, on a day that was opened; undefined: there is none. */
export const departureIn = (
  timetable: TimetableState,
  opened: SaleDays | null,
  flightId: string,
): Flight | undefined => {
  const date = departureNamed(flightId)?.date ?? '';
  if (timetable.status === 'unscheduled' || !opened || date > opened.last) return undefined;
  const terms = termsOn(timetable.terms, date);
  return terms && departureBy(terms, date);
};

/** Which dates of a zone are on sale at an instant: from the local today on, as many as there are, and no day that was not opened. */
export const datesOnSale = (opened: SaleDays | null, timeZone: string, now: Instant): SaleDays | null => {
  if (!opened) return null;
  const first = dateAt(now, timeZone);
  const horizon = later(first, DAYS_ON_SALE - 1);
  const last = horizon < opened.last ? horizon : opened.last;
  return first <= last ? { first, last } : null;
};
