import type { Documents } from '#documents';
import type { EventStore, StoredEvent } from '#event-store';
import { categoryOf, type EventData, type FlightName } from '#events';
import { LEDGER } from '#checkout';
import { ledgerLine, type LedgerRow, OrderBooks, type OrderStanding } from './order-books.js';
import { Refunds, type RefundStanding } from './refund-books.js';
import { type StoryLine, storyLine, type StoryEvent } from './story-line.js';

export interface StorySources {
  readonly events: EventStore;
  readonly documents: Documents;
}

export interface StoryParty {
  readonly holder: string;
  readonly clientId: string;
}

/** A story across streams, in the order in which the log has it: what caused something stands before it. */
export interface Story {
  readonly party: StoryParty | null;
  readonly lines: readonly StoryLine[];
  /** The orders of it, each tied to its row of the ledger. */
  readonly orders: readonly OrderStanding[];
  /** The ways back of those that were cancelled, each tied to its own. */
  readonly refunds: readonly RefundStanding[];
}

const textIn = (data: EventData, name: string): string | null => {
  const value = data[name];
  return typeof value === 'string' ? value : null;
};

export const ledgerRowOf = async (documents: Documents, orderId: string): Promise<LedgerRow | null> => {
  await documents.prepare(LEDGER);
  return (await documents.get<LedgerRow>(LEDGER.name, orderId))?.body ?? null;
};

/** What is written down once the ledger's row has its outcome: that row is shown before the first of these. */
export const AFTER_THE_LEDGER = ['MandateConsumed', 'MandateReleased', 'OrderPaid', 'OrderFailed', 'SeatsReleased'];

/** A booking and everything that its orders did elsewhere; null where there is no such booking. */
export const bookingStory = async (bookingId: string, sources: StorySources): Promise<Story | null> => {
  const events = await readAll(sources.events, `booking-${bookingId}`);
  if (events.length === 0) return null;
  const orders = events.filter(({ type }) => type === 'BookingCheckoutStarted').map(({ data }) => data);
  return story(events, orders, sources);
};

/** An order, from the moment that its booking was taken for it; null where there is no such order. */
export const orderStory = async (orderId: string, sources: StorySources): Promise<Story | null> => {
  const placed = await first(sources.events.readStream(`order-${orderId}`));
  const bookingId = placed && textIn(placed.data, 'bookingId');
  if (!bookingId) return null;
  const booking = await readAll(sources.events, `booking-${bookingId}`);
  const isOfOrder = ({ data }: StoredEvent) => data['orderId'] === orderId;
  return story(booking.filter(isOfOrder), [placed.data], sources);
};

const first = async <Item>(items: AsyncIterable<Item>): Promise<Item | null> => {
  for await (const item of items) return item;
  return null;
};

const readAll = async (events: EventStore, stream: string): Promise<readonly StoredEvent[]> => {
  const found: StoredEvent[] = [];
  for await (const event of events.readStream(stream)) found.push(event);
  return found;
};

/** `checkouts`: what each order froze of itself, which names the other streams that it wrote to. */
const story = async (
  booking: readonly StoredEvent[],
  checkouts: readonly EventData[],
  { events, documents }: StorySources,
): Promise<Story> => {
  const ids = new Set(checkouts.map((data) => textIn(data, 'orderId')));
  const shared = new Set<string>();
  for (const data of checkouts) {
    shared.add(`mandate-${textIn(data, 'mandateId')}`);
    const { line } = data as { readonly line?: Partial<FlightName> };
    shared.add(`flight-${line?.flightId ?? line?.flightNumber}`);
  }
  const found = [...booking];
  for (const orderId of ids) found.push(...(await readAll(events, `order-${orderId}`)));
  for (const stream of shared)
    for await (const event of events.readStream(stream)) if (ids.has(textIn(event.data, 'orderId'))) found.push(event);
  found.sort((one, other) => (one.position < other.position ? -1 : 1));
  return tied(found, documents);
};

/** The events as lines, with the ledger's rows among them. */
const tied = async (events: readonly StoredEvent[], documents: Documents): Promise<Story> => {
  const books = new Map<string, OrderBooks>();
  const rows = new Map<string, LedgerRow>();
  const lines: StoryLine[] = [];
  const back = new Refunds(documents);
  const refunds: RefundStanding[] = [];
  let last = '';
  for (const event of events) {
    const { stream, type, data, metadata } = event;
    last = metadata.occurredAt;
    const orderId = orderOf(stream, data);
    if (orderId !== null && !books.has(orderId)) {
      books.set(orderId, new OrderBooks(orderId));
      const row = await ledgerRowOf(documents, orderId);
      if (row) rows.set(orderId, row);
    }
    const row = orderId === null ? undefined : rows.get(orderId);
    if (orderId !== null && row && AFTER_THE_LEDGER.includes(type)) {
      lines.push(ledgerLine(orderId, row, metadata.occurredAt));
      rows.delete(orderId);
    }
    if (orderId !== null) books.get(orderId)?.add(event);
    const given = orderId === null ? null : await back.add(orderId, event);
    if (given) lines.push(given);
    lines.push(storyLine(event));
    const over = orderId === null ? null : await back.over(orderId);
    if (over) refunds.push(over);
  }
  for (const [orderId, row] of rows) lines.push(ledgerLine(orderId, row, last));
  const orders: OrderStanding[] = [];
  for (const book of books.values()) orders.push(book.against(await ledgerRowOf(documents, book.orderId)));
  for await (const refund of back.rest()) refunds.push(refund);
  return { party: partyIn(events), lines, orders, refunds };
};

/** The order that an event is about; null: none. */
export const orderOf = (stream: string, data: EventData): string | null =>
  categoryOf(stream) === 'order' ? stream.slice('order-'.length) : textIn(data, 'orderId');

const partyIn = (events: readonly StoryEvent[]): StoryParty | null => {
  for (const { data } of events) {
    const { holder, clientId } = data;
    if (typeof holder === 'string' && typeof clientId === 'string') return { holder, clientId };
  }
  return null;
};
