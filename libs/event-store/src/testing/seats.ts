import { type FlightEvent, flightEvents, streamType } from '#events';
import { type Decider, DomainError } from '#kernel';

/** What is left of a flight and who holds what: just enough of a domain to handle commands. */
export interface Seats {
  readonly free: number;
  readonly held: Readonly<Record<string, number>>;
}

export type SeatsCommand =
  | { readonly type: 'Schedule'; readonly seats: number }
  | { readonly type: 'Hold'; readonly orderId: string; readonly seats: number }
  | { readonly type: 'Release'; readonly orderId: string };

const scheduled = (seats: number): FlightEvent => ({
  type: 'FlightScheduled',
  data: {
    flightNumber: 'AL1',
    slug: 'al1',
    from: 'GRU',
    fromCity: 'São Paulo',
    to: 'LIS',
    toCity: 'Lisboa',
    departureTime: '22:10',
    departureDate: null,
    timeZone: null,
    durationMin: 600,
    seats,
    currency: 'BRL',
    fares: [],
  },
});

/** Seats of one flight: held while there are any, released once. */
const seatsDecider: Decider<Seats, SeatsCommand, FlightEvent> = {
  initialState: () => ({ free: 0, held: {} }),
  decide: (command, { free, held }) => {
    if (command.type === 'Schedule') return [scheduled(command.seats)];
    const { orderId, now } = command;
    const holding = held[orderId];
    if (command.type === 'Hold') {
      if (holding !== undefined) return [];
      if (command.seats > free) throw new DomainError('seats_unavailable', { free });
      return [{ type: 'SeatsHeld', data: { orderId, seats: command.seats, holdBefore: now, heldAt: now } }];
    }
    if (holding === undefined) return [];
    return [{ type: 'SeatsReleased', data: { orderId, seats: holding, holdBefore: now, releasedAt: now } }];
  },
  evolve: (state, { type, data }) => {
    if (type === 'FlightScheduled') return { ...state, free: state.free + data.seats };
    if (type === 'SeatsHeld') {
      return { free: state.free - data.seats, held: { ...state.held, [data.orderId]: data.seats } };
    }
    if (type === 'SeatsReleased') {
      const { [data.orderId]: released = 0, ...held } = state.held;
      return { free: state.free + released, held };
    }
    return state;
  },
};

export const seats = streamType({
  category: 'flight',
  id: (flight: string) => flight,
  events: flightEvents,
  decider: seatsDecider,
  snapshotVersion: 1,
});
