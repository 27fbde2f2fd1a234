import type { Documents } from '#documents';
import type { EventStore, StoredEvent } from '#event-store';
import { bookings } from '#booking';
import { flights } from '#catalog';
import { delegations } from '#delegation';
import { categoryOf, securityLog, trafficLog } from '#events';
import { mandates } from '#mandate';
import { orders, ticketStock } from '#order';
import { LEDGER } from '#payment';

const STREAM_TYPES = [bookings, delegations, flights, mandates, orders, securityLog, ticketStock, trafficLog] as const;

/** An event of any stream, decoded. */
export const decode = (stored: StoredEvent) => {
  const type = STREAM_TYPES.find(({ category }) => category === categoryOf(stored.stream));
  if (!type) throw new Error(`nobody knows streams like ${stored.stream}`);
  return type.decode(stored);
};

/** An event, read, and as it is stored. */
export type BookedEvent = ReturnType<typeof decode> & { readonly stored: StoredEvent };

/** What the processor's ledger says of an order. */
export interface LedgerEntry {
  readonly status: string;
  readonly amount?: { readonly amount: number };
  readonly capturedAt?: string;
}

/** All that is known of what was sold and paid: the whole log, in order, and the processor's ledger by order id. */
export interface Books {
  readonly events: readonly BookedEvent[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  /** Rows of the ledger about orders that the log does not know. */
  readonly strays: number;
}

/** The books as they stand; whoever wrote them may be gone. */
export const readBooks = async (log: EventStore, documents: Documents): Promise<Books> => {
  const stored: StoredEvent[] = [];
  for await (const event of log.readAll(null)) stored.push(event);
  const ledger = new Map<string, LedgerEntry>();
  for (const { type, data } of stored) {
    if (type !== 'BookingCheckoutStarted') continue;
    const row = await documents.get<LedgerEntry>(LEDGER.name, String(data['orderId']));
    if (row) ledger.set(row.id, row.body);
  }
  const events = stored.map((event) => ({ ...decode(event), stored: event }));
  const strays = (await documents.count(LEDGER.name, { where: [] })) - ledger.size;
  return { events, ledger, strays };
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
