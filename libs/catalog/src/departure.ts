import { type Instant, instantOf } from '#kernel';
import type { Flight } from './flight.decider.js';

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

/** Milliseconds by which the clocks of an IANA zone are ahead of UTC at a moment. */
const offsetAt = (timeZone: string, milliseconds: number): number => {
  const parts = clockOf(timeZone).formatToParts(milliseconds);
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const local = Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}Z`);
  return local - Math.floor(milliseconds / 60_000) * 60_000;
};

/** The moment (ms) of a zone's local time: the first of a repeated hour; a skipped time counts from before the change. */
const momentOf = (local: string, timeZone: string): number => {
  const asUtc = Date.parse(`${local}Z`);
  const offsets = [offsetAt(timeZone, asUtc - DAY), offsetAt(timeZone, asUtc + DAY)] as const;
  const moments = offsets.map((offset) => asUtc - offset).sort((one, other) => one - other);
  return moments.find((moment) => moment + offsetAt(timeZone, moment) === asUtc) ?? asUtc - offsets[0];
};

type Departing = Pick<Flight, 'departureDate' | 'departureTime' | 'timeZone'>;

/** When a dated flight leaves, and its sale is closed; null: a flight number without a date never does (docs/decisions.md, Flights). */
export const departureOf = ({ departureDate, departureTime, timeZone }: Departing): Instant | null =>
  departureDate === null ? null : instantOf(momentOf(`${departureDate}T${departureTime}`, timeZone ?? 'UTC'));

export const hasDeparted = (flight: Departing, now: Instant): boolean => {
  const departure = departureOf(flight);
  return departure !== null && now >= departure;
};
