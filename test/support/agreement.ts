import { decode, type DomainEvent } from '#events';
import { LEDGER } from '#payment';
import type { Parts } from '../../apps/api/src/parts.js';

/** What the log and the processor's ledger say of money, tickets and seats, counted without the service's own deciders. */
export interface Tally {
  /** Cents captured by the processor, by order. */
  readonly captured: ReadonlyMap<string, number>;
  /** Cents consumed, by order. */
  readonly consumed: ReadonlyMap<string, number>;
  /** Ticket codes, by order. */
  readonly tickets: ReadonlyMap<string, string>;
  /** Passengers of every order, by order. */
  readonly passengers: ReadonlyMap<string, number>;
  /** Seats held, by order. */
  readonly seats: ReadonlyMap<string, number>;
  /** Orders whose money is still set aside, and those whose checkout is open. */
  readonly reserved: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
}

const emptyTally = () => ({
  captured: new Map<string, number>(),
  consumed: new Map<string, number>(),
  tickets: new Map<string, string>(),
  passengers: new Map<string, number>(),
  seats: new Map<string, number>(),
  reserved: new Set<string>(),
  open: new Set<string>(),
});

const count = (tally: ReturnType<typeof emptyTally>, stream: string, { type, data }: DomainEvent): void => {
  switch (type) {
    case 'BookingCheckoutStarted':
      tally.open.add(data.orderId);
      tally.passengers.set(data.orderId, data.line.passengers);
      break;
    case 'BookingCheckoutAbandoned':
    case 'BookingTicketed':
      tally.open.delete(data.orderId);
      break;
    case 'SeatsHeld':
      tally.seats.set(data.orderId, data.seats);
      break;
    case 'SeatsReleased':
      tally.seats.delete(data.orderId);
      break;
    case 'MandateReserved':
      tally.reserved.add(data.orderId);
      break;
    case 'MandateReleased':
      tally.reserved.delete(data.orderId);
      break;
    case 'MandateConsumed':
      tally.reserved.delete(data.orderId);
      tally.consumed.set(data.orderId, data.amount.amount);
      break;
    case 'OrderPaid':
      tally.tickets.set(stream.slice('order-'.length), data.ticketCode);
      break;
    default:
  }
};

/** Reads the whole log and, for each order in it, the ledger. */
export const readTally = async ({ events, documents }: Pick<Parts, 'events' | 'documents'>): Promise<Tally> => {
  const tally = emptyTally();
  for await (const { stream, type, data, metadata } of events.readAll(null)) {
    count(tally, stream, decode({ stream, type, data, schemaVersion: metadata.schemaVersion }));
  }
  for (const orderId of tally.passengers.keys()) {
    const row = await documents.get<{ status: string; amount?: { amount: number } }>(LEDGER.name, orderId);
    if (row?.body.status === 'captured') tally.captured.set(orderId, row.body.amount?.amount ?? 0);
  }
  return tally;
};

/** Orders in which the sides do not agree; none, whenever nothing is under way. */
export const disagreements = ({ captured, consumed, tickets, passengers, seats, reserved, open }: Tally) => {
  const orders = [...passengers.keys()];
  return {
    moneyAstray: orders.filter((orderId) => captured.get(orderId) !== consumed.get(orderId)),
    paidWithoutTicket: orders.filter((orderId) => captured.has(orderId) !== tickets.has(orderId)),
    seatsAstray: orders.filter((orderId) => {
      const due = tickets.has(orderId) ? passengers.get(orderId) : undefined;
      return seats.get(orderId) !== due;
    }),
    sameTicket: tickets.size - new Set(tickets.values()).size,
    stillReserved: [...reserved],
    stillOpen: [...open],
  };
};

export const NO_DISAGREEMENT: ReturnType<typeof disagreements> = {
  moneyAstray: [],
  paidWithoutTicket: [],
  seatsAstray: [],
  sameTicket: 0,
  stillReserved: [],
  stillOpen: [],
};
