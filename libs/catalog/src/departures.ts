import type { Aggregates } from '#event-store';
import { flightIdOf } from '#events';
import { DomainError, type Instant } from '#kernel';
import {
  type Flight,
  flightIdNamed,
  flights,
  type FlightState,
  isClosed,
  type ScheduledFlight,
  seatsLeft,
  untouched,
} from './flight.decider.js';
import { later } from './local-time.rule.js';
import {
  datesOnSale,
  departureBy,
  departureId,
  departureIn,
  departureNamed,
  type SaleDays,
  saleDays,
  termsOn,
  type Timetable,
  type TimetableState,
  timetables,
} from './timetable.decider.js';

/** A timetable, and days that were open before it was read: their terms are final (rule 38). */
interface FinalTerms {
  readonly timetable: TimetableState;
  readonly opened: SaleDays | null;
}

/** By a timetable as it was read, the days that were open then. */
const openBefore = new WeakMap<TimetableState, SaleDays>();

/** What is final of a timetable as far as this process knows, with nobody asked; undefined: nothing is known. */
const finalTerms = (aggregates: Aggregates, flightNumber: string): FinalTerms | undefined => {
  const timetable = aggregates.lastKnown(timetables, flightNumber);
  const opened = timetable && openBefore.get(timetable);
  return opened && { timetable, opened };
};

/** The days first: what a timetable says of those that open after it was read is not final. */
const readTerms = async (aggregates: Aggregates, flightNumber: string): Promise<FinalTerms> => {
  const { state: opened } = await aggregates.load(saleDays, 'on-sale');
  const { state: timetable } = await aggregates.load(timetables, flightNumber);
  if (opened) openBefore.set(timetable, opened);
  return { timetable, opened };
};

/** A departure as its timetable has it; undefined: there is none of this id. */
const departureOfId = async (aggregates: Aggregates, flightId: string): Promise<Flight | undefined> => {
  const named = departureNamed(flightId);
  if (!named) return undefined;
  const known = finalTerms(aggregates, named.flightNumber);
  const { timetable, opened } =
    known?.opened && named.date <= known.opened.last ? known : await readTerms(aggregates, named.flightNumber);
  return departureIn(timetable, opened, flightId);
};

/** A flight's stream folded; a departure without a stream is as its timetable has it. */
export const flightAsItIs = async (aggregates: Aggregates, flightId: string, known?: FlightState) => {
  const state = known ?? (await aggregates.load(flights, flightId)).state;
  if (state.status === 'scheduled') return state;
  const departure = await departureOfId(aggregates, flightId);
  if (!departure) return state;
  aggregates.expectNew(flights, flightId);
  return untouched(departure);
};

/** What a request says of a flight. */
export interface MeantFlight {
  /** In any notation. */
  readonly flightNumber: string;
  /** Local; undefined: whichever is next. */
  readonly date?: string | undefined;
  /** How many seats the next one has to have. */
  readonly passengers: number;
}

/** The flight that is meant, as it is now: of a timetable the departure of the date, or the next one with enough seats. @throws DomainError `invalid_flight` */
export const flightMeant = async (
  aggregates: Aggregates,
  { flightNumber, date, passengers }: MeantFlight,
): Promise<ScheduledFlight> => {
  const number = flightIdNamed(flightNumber);
  const flight =
    (await departureKnown(aggregates, number, date, passengers)) ??
    (await flightNow(aggregates, number, date, passengers));
  if (!flight) throw new DomainError('invalid_flight');
  return flight;
};

/** The departure that is meant, where what is known of its timetable is enough to say so; null: it is not. */
const departureKnown = async (aggregates: Aggregates, number: string, date: string | undefined, passengers: number) => {
  const terms = finalTerms(aggregates, number);
  const found = terms ? await departureMeant(aggregates, terms, date, passengers) : null;
  return found && (date !== undefined || seatsLeft(found) >= passengers) ? found : null;
};

const flightNow = async (aggregates: Aggregates, number: string, date: string | undefined, passengers: number) => {
  // A number has a flight of its own or a timetable, never both.
  const isOfNoTimetable = aggregates.lastKnown(flights, number)?.status === 'scheduled';
  const terms = isOfNoTimetable ? null : await readTerms(aggregates, number);
  return terms?.timetable.status === 'scheduled'
    ? departureMeant(aggregates, terms, date, passengers)
    : flightOfNoTimetable(aggregates, number, date);
};

/** The flight with a number, in any notation, on a local date, be it left, cancelled or of a day long ago; null: there is none. */
export const flightOnDate = async (
  aggregates: Aggregates,
  { flightNumber, date }: { readonly flightNumber: string; readonly date: string },
): Promise<Flight | null> => {
  const number = flightIdNamed(flightNumber);
  const { state: timetable } = await aggregates.load(timetables, number);
  const state = await flightAsItIs(aggregates, timetable.status === 'scheduled' ? departureId(number, date) : number);
  return state.status === 'scheduled' && state.flight.departureDate === date ? state.flight : null;
};

/** A flight that is of no timetable: it has one date or none. */
const flightOfNoTimetable = async (aggregates: Aggregates, flightId: string, date: string | undefined) => {
  const { state } = await aggregates.load(flights, flightId);
  if (state.status === 'unscheduled') return null;
  return date === undefined || state.flight.departureDate === date ? state : null;
};

const departureMeant = async (
  aggregates: Aggregates,
  { timetable, opened }: FinalTerms,
  date: string | undefined,
  passengers: number,
): Promise<ScheduledFlight | null> => {
  if (timetable.status !== 'scheduled') return null;
  const { terms } = timetable;
  const now = aggregates.clock.now();
  const days = datesOnSale(opened, terms.at(-1)?.timeZone ?? 'UTC', now);
  if (!days) return null;
  let soldOut: ScheduledFlight | null = null;
  const [first, last] = date === undefined ? [days.first, days.last] : [date, date];
  // Nothing is sold of a day whose terms may still change (rule 38).
  if (first < days.first || last > days.last) return null;
  for (let day = first; day <= last; day = later(day, 1)) {
    const departure = await departureOn(aggregates, terms, day, date === undefined ? now : null);
    if (!departure || (date === undefined && isClosed(departure.flight, now))) continue;
    if (date !== undefined || seatsLeft(departure) >= passengers) return departure;
    soldOut ??= departure;
  }
  // Where none has enough seats, the first that is still sold: its order says so.
  return soldOut;
};

/** The departure of a day; null: there is none, or its sale is over at `openAt`, which its timetable says before anything is read. */
const departureOn = async (
  aggregates: Aggregates,
  terms: readonly Timetable[],
  date: string,
  openAt: Instant | null,
): Promise<ScheduledFlight | null> => {
  const held = termsOn(terms, date);
  const departure = held && departureBy(held, date);
  if (!departure || (openAt !== null && isClosed(departure, openAt))) return null;
  return flightLike(aggregates, departure);
};

/** A departure as its stream has it, or where that has not begun, as its timetable has it. */
const flightLike = async (aggregates: Aggregates, departure: Flight): Promise<ScheduledFlight> => {
  const flightId = flightIdOf(departure);
  const { state } = await aggregates.load(flights, flightId);
  if (state.status === 'scheduled') return state;
  aggregates.expectNew(flights, flightId);
  return untouched(departure);
};
