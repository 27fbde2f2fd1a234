import type { Document, Documents } from '#documents';
import type { EventStore, StoredEvent } from '#event-store';
import {
  type BookingEvent,
  bookingEvents,
  categoryOf,
  type DelegationEvent,
  delegationEvents,
  type FlightEvent,
  flightEvents,
  type MandateEvent,
  mandateEvents,
  type OrderEvent,
  orderEvents,
  type PauseEvent,
  pauseEvents,
  type SaleDaysEvent,
  saleDaysEvents,
  securityLog,
  streamType,
  type TicketStockEvent,
  ticketStockEvents,
  type TimetableEvent,
  timetableEvents,
  trafficLog,
} from '#events';
import { recorder } from '#kernel';

/** Streams as their events alone define them: who counts the books knows none of the program's deciders. */
const STREAM_TYPES = [
  streamType({ category: 'booking', id: String, events: bookingEvents, decider: recorder<BookingEvent>() }),
  streamType({ category: 'delegation', id: String, events: delegationEvents, decider: recorder<DelegationEvent>() }),
  streamType({ category: 'flight', id: String, events: flightEvents, decider: recorder<FlightEvent>() }),
  streamType({ category: 'mandate', id: String, events: mandateEvents, decider: recorder<MandateEvent>() }),
  streamType({ category: 'pause', id: String, events: pauseEvents, decider: recorder<PauseEvent>() }),
  streamType({ category: 'order', id: String, events: orderEvents, decider: recorder<OrderEvent>() }),
  streamType({ category: 'timetable', id: String, events: timetableEvents, decider: recorder<TimetableEvent>() }),
  streamType({ category: 'days', id: String, events: saleDaysEvents, decider: recorder<SaleDaysEvent>() }),
  streamType({ category: 'ticket', id: String, events: ticketStockEvents, decider: recorder<TicketStockEvent>() }),
  securityLog,
  trafficLog,
] as const;

export const decode = (stored: StoredEvent) => {
  const type = STREAM_TYPES.find(({ category }) => category === categoryOf(stored.stream));
  if (!type) throw new Error(`nobody knows streams like ${stored.stream}`);
  return type.decode(stored);
};

export type BookedEvent = ReturnType<typeof decode> & { readonly stored: StoredEvent };

export interface LedgerEntry {
  readonly status: string;
  readonly amount?: { readonly amount: number };
  readonly capturedAt?: string;
}

export interface RefundEntry {
  readonly status: string;
  readonly id?: string;
  readonly amount: { readonly amount: number };
}

/** All that is known of what was sold and paid: the whole log, in order, and the processor's ledger by order id. */
export interface Books {
  readonly events: readonly BookedEvent[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly refunds: ReadonlyMap<string, RefundEntry>;
  /** Rows of the ledger about orders that the log does not know. */
  readonly strays: number;
}

const LEDGER = 'payment-ledger';
export const REFUND_ROWS = 'payment-refunds';

export const booksOf = (
  log: readonly StoredEvent[],
  rows: ReadonlyMap<string, LedgerEntry>,
  refunds: ReadonlyMap<string, RefundEntry>,
): Books => {
  const ledger = new Map<string, LedgerEntry>();
  for (const { type, data } of log) {
    const orderId = type === 'BookingCheckoutStarted' ? String(data['orderId']) : '';
    const row = rows.get(orderId);
    if (row) ledger.set(orderId, row);
  }
  const events = log.map((stored) => ({ ...decode(stored), stored }));
  return { events, ledger, refunds, strays: rows.size - ledger.size };
};

export const readBooks = async (log: EventStore, documents: Documents): Promise<Books> => {
  const events: StoredEvent[] = [];
  for await (const event of log.readAll(null)) events.push(event);
  return booksOf(
    events,
    await rowsOf<LedgerEntry>(documents, LEDGER),
    await rowsOf<RefundEntry>(documents, REFUND_ROWS),
  );
};

const rowsOf = async <Row extends object>(documents: Documents, collection: string): Promise<Map<string, Row>> => {
  const rows = new Map<string, Row>();
  for (let last: string | null | undefined = null; last !== undefined;) {
    const page: readonly Document<Row>[] = await documents.scan<Row>(collection, last, 1_000);
    for (const { id, body } of page) rows.set(id, body);
    last = page.at(-1)?.id;
  }
  return rows;
};

/** Ids of the orders whose money was captured, of one mandate or of all. */
export const capturedOrders = ({ events, ledger }: Books, mandateId?: string): readonly string[] =>
  events.flatMap(({ type, data }) =>
    type === 'BookingCheckoutStarted' &&
    (mandateId === undefined || data.mandateId === mandateId) &&
    ledger.get(data.orderId)?.status === 'captured'
      ? [data.orderId]
      : [],
  );
