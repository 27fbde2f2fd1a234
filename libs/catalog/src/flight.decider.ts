import { type Fare, type FlightEvent, flightEvents, type Line, streamType } from '#events';
import {
  canonicalJson,
  type Decider,
  DomainError,
  type Fence,
  type Instant,
  latest,
  ofOrder,
  plus,
  type Stamped,
  standing,
  TooLate,
  withoutOrder,
} from '#kernel';
import { momentOf } from './local-time.rule.js';

/** A flight number without case, spaces and hyphens (docs/decisions.md, Flights): `al 4012` and `AL-4012` are `AL4012`. */
export const normalFlightNumber = (text: string): string => text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();

/** The id of the flight that a number names, in any notation: nothing else makes an id of a number. */
export const flightIdNamed = (flightNumber: string): string => normalFlightNumber(flightNumber);

/** A flight: terms that never change, today's fares, and since when it is cancelled; absent: it is not. */
export type Flight = Extract<FlightEvent, { type: 'FlightScheduled' }>['data'] & { readonly cancelledAt?: Instant };

/** What is taken of a flight. `held` is bounded by its seats, `fences` by the releases of the last minute (rule 15). */
export interface ScheduledFlight {
  readonly status: 'scheduled';
  readonly flight: Flight;
  /** The seats that orders hold, each once, those of ticketed orders included. */
  readonly held: readonly { readonly orderId: string; readonly seats: number }[];
  /** Orders that never hold again. */
  readonly fences: readonly Fence[];
  /** Time of the latest hold or release ('': none); nothing is decided in this stream at an earlier one (rule 16). */
  readonly latestAt: Instant;
}

/** A flight's stream folded: `unscheduled` where there is no flight of this id. */
export type FlightState = { readonly status: 'unscheduled' } | ScheduledFlight;

/** What an order has of a fare, whose price is its booking's. */
export type SoldFare = Pick<Line, 'fareCode' | 'fareName' | 'arrivalTime' | 'arrivalDayOffset' | 'baggage'>;

export const soldFare = ({ code, name, arrivalTime, arrivalDayOffset, baggage }: Fare): SoldFare => ({
  fareCode: code,
  fareName: name,
  arrivalTime,
  arrivalDayOffset,
  baggage,
});

/** A departure that its timetable describes, whose own stream begins with its first command; undefined: it has begun. */
interface OfDeparture {
  readonly departure?: Flight | undefined;
}

type HoldSeats = OfDeparture & {
  readonly type: 'HoldSeats';
  readonly orderId: string;
  readonly seats: number;
  readonly sold: SoldFare;
  /** The time at which it leaves, as it was sold. */
  readonly departureTime: string;
  readonly holdBefore: Instant;
};
type ReleaseSeats = OfDeparture & {
  readonly type: 'ReleaseSeats';
  readonly orderId: string;
  readonly holdBefore: Instant;
};

export type FlightCommand =
  | { readonly type: 'ScheduleFlight'; readonly flight: Flight }
  | (OfDeparture & { readonly type: 'RepriceFares'; readonly fares: readonly Fare[] })
  /** The airline does not fly it: nothing is held any more. */
  | (OfDeparture & { readonly type: 'CancelFlight'; readonly reason: string })
  | HoldSeats
  | ReleaseSeats;

export const seatsLeft = ({ flight, held }: ScheduledFlight): number =>
  held.reduce((left, { seats }) => left - seats, flight.seats);

export const fareOf = (flight: Pick<Flight, 'fares'>, fareCode: string): Fare | undefined =>
  flight.fares.find(({ code }) => code === fareCode);

/** The refusal of a fare that the flight does not have: it names those that it has. */
export const noSuchFare = ({ currency, fares }: Pick<Flight, 'currency' | 'fares'>): DomainError =>
  new DomainError('invalid_fare', { currency, fares: fares.map(({ code, name, price }) => ({ code, name, price })) });

/** The first field, fares aside, in which `wanted` differs from a flight on sale; undefined where none does. */
export const changedTerm = (onSale: Flight, wanted: Flight): string | undefined => {
  const terms = new Map<string, unknown>(Object.entries(onSale));
  return Object.entries(wanted).find(([field, value]) => field !== 'fares' && terms.get(field) !== value)?.[0];
};

const isOnSale = (
  { fares }: Flight,
  { fareCode, fareName, arrivalTime, arrivalDayOffset, baggage }: SoldFare,
): boolean => {
  const fare = fareOf({ fares }, fareCode);
  const isTimed = fare?.arrivalTime === arrivalTime && fare.arrivalDayOffset === arrivalDayOffset;
  return isTimed && fare.name === fareName && fare.baggage === baggage;
};

const hold = (
  { orderId, seats, sold, departureTime, holdBefore, now }: Stamped<HoldSeats>,
  state: ScheduledFlight,
): readonly FlightEvent[] => {
  if (ofOrder(state.held, orderId)) return [];
  // Too late, or finished meanwhile: nobody would release them any more (rule 6).
  if (now > holdBefore || ofOrder(state.fences, orderId)) throw new TooLate();
  if (state.flight.cancelledAt !== undefined) throw new DomainError('flight_cancelled');
  // Judged on what its process knew of the flight (rule 13): a timetable may change while the day is opened.
  if (state.flight.departureTime !== departureTime || !isOnSale(state.flight, sold)) throw noSuchFare(state.flight);
  if (seats > seatsLeft(state)) throw new DomainError('seats_unavailable');
  return [{ type: 'SeatsHeld', data: { orderId, seats, holdBefore, heldAt: now } }];
};

/** Recorded also where nothing was held, unless fence or `holdBefore` refuse the order: a late holder's clock may be behind. */
const release = (
  { orderId, holdBefore, now }: Stamped<ReleaseSeats>,
  { held, fences, latestAt }: ScheduledFlight,
): readonly FlightEvent[] => {
  const seats = ofOrder(held, orderId)?.seats;
  if (seats === undefined && (ofOrder(fences, orderId) || latestAt > holdBefore)) return [];
  return [{ type: 'SeatsReleased', data: { orderId, seats: seats ?? 0, holdBefore, releasedAt: now } }];
};

/** The state at a later time, without the fences of orders that could hold no more anyway. */
const advanced = (state: ScheduledFlight, instant: Instant): ScheduledFlight => {
  const latestAt = latest(state.latestAt, instant);
  return { ...state, latestAt, fences: standing(state.fences, latestAt) };
};

const decide = (command: Stamped<FlightCommand>, state: ScheduledFlight): readonly FlightEvent[] => {
  switch (command.type) {
    case 'ScheduleFlight': {
      const field = changedTerm(state.flight, command.flight);
      if (field !== undefined) throw new DomainError('invalid_flight', { field });
      return [];
    }
    case 'RepriceFares': {
      const { fares } = command;
      return canonicalJson(fares) === canonicalJson(state.flight.fares)
        ? []
        : [{ type: 'FaresRepriced', data: { fares } }];
    }
    case 'CancelFlight': {
      const { reason, now: cancelledAt } = command;
      return state.flight.cancelledAt === undefined ? [{ type: 'FlightCancelled', data: { reason, cancelledAt } }] : [];
    }
    case 'HoldSeats':
      return hold(command, state);
    case 'ReleaseSeats':
      return release(command, state);
  }
};

export const untouched = (flight: Flight): ScheduledFlight => ({
  status: 'scheduled',
  flight,
  held: [],
  fences: [],
  latestAt: '',
});

/** The rules of `flight-<flightId>`: what is on sale, and that no seat is sold twice. */
export const flightDecider: Decider<FlightState, FlightCommand, FlightEvent> = {
  initialState: () => ({ status: 'unscheduled' }),

  decide: (command, state) => {
    if (state.status === 'unscheduled') {
      if (command.type === 'ScheduleFlight') return [{ type: 'FlightScheduled', data: command.flight }];
      if (!command.departure) throw new DomainError('invalid_flight');
      const events = decide(command, untouched(command.departure));
      return events.length === 0 ? [] : [{ type: 'FlightScheduled', data: command.departure }, ...events];
    }
    return decide(command, state);
  },

  evolve: (state, { type, data }) => {
    if (type === 'FlightScheduled') return untouched(data);
    if (state.status === 'unscheduled') return state;
    switch (type) {
      case 'FaresRepriced':
        return { ...state, flight: { ...state.flight, fares: data.fares } };
      case 'FlightCancelled': {
        const { cancelledAt } = data;
        return advanced({ ...state, flight: { ...state.flight, cancelledAt } }, cancelledAt);
      }
      case 'SeatsHeld':
        return advanced({ ...state, held: [...state.held, { orderId: data.orderId, seats: data.seats }] }, data.heldAt);
      case 'SeatsReleased': {
        const { orderId, holdBefore, releasedAt } = data;
        const fences = [...state.fences, { orderId, holdBefore }];
        return advanced({ ...state, held: withoutOrder(state.held, orderId), fences }, releasedAt);
      }
    }
  },
};

/** `flight-<flightId>`: what is on sale and how many seats are taken. */
export const flights = streamType({
  category: 'flight',
  id: (flightId: string) => flightId,
  events: flightEvents,
  decider: flightDecider,
  snapshotVersion: 5,
});

/** How long (ms) before it leaves a departure of a timetable is sold no more. */
const CLOSED_BEFORE = 60 * 60_000;

type Departing = Pick<Flight, 'flightId' | 'departureDate' | 'departureTime' | 'timeZone' | 'cancelledAt'>;

/** When a dated flight leaves; null: a flight number without a date never does. */
export const departureOf = ({ departureDate, departureTime, timeZone }: Departing): Instant | null =>
  departureDate === null ? null : momentOf(departureDate, departureTime, timeZone ?? 'UTC');

/** When the sale of a dated flight ends: as it leaves, or an hour before if it is of a timetable; null: never (docs/decisions.md, Flights). */
export const saleEndOf = (flight: Departing): Instant | null => {
  const departure = departureOf(flight);
  return departure === null || flight.flightId === undefined ? departure : plus(departure, -CLOSED_BEFORE);
};

export const isClosed = (flight: Departing, now: Instant): boolean => {
  if (flight.cancelledAt !== undefined) return true;
  const end = saleEndOf(flight);
  return end !== null && now >= end;
};

/** @throws DomainError `flight_cancelled`, `flight_departed` */
export const requireOnSale = (flight: Departing, now: Instant): void => {
  if (flight.cancelledAt !== undefined) throw new DomainError('flight_cancelled');
  if (isClosed(flight, now)) throw new DomainError('flight_departed', { closedAt: saleEndOf(flight) });
};
