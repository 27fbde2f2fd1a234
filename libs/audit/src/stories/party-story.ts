import type { Documents } from '#documents';
import type { EventStore, RawEvent } from '#event-store';
import { categoryOf, idOf } from '#events';
import type { Breach } from '#verifier';
import { Chains } from '../chains.js';
import { auditedEvent, envelopeOf } from '../envelope.js';
import { ledgerLine, type LedgerRow, OrderBooks, type OrderStanding } from './order-books.js';
import { AFTER_THE_LEDGER, ledgerRowOf, orderOf } from './story.js';
import { Refunds, type RefundStanding, WAY_BACK } from './refund-books.js';
import { type StoryLine, storyLine } from './story-line.js';

/** The subject of the story: all of a traveller, or all of an agent. */
export type Whose = { readonly holder: string } | { readonly clientId: string };

/** What comes of the story as it is read. */
export type PartyPart =
  | { readonly line: StoryLine }
  | { readonly order: OrderStanding }
  | { readonly refund: RefundStanding }
  | { readonly breaches: readonly Breach[] };

const MEMBER_OF: readonly string[] = ['mandate', 'booking', 'order', 'security'];

/** All that the log and ledger have of a traveller or agent, in order. Reads the whole log, since lists are hints. */
export async function* partyStory(
  whose: Whose,
  { events, documents }: { readonly events: EventStore; readonly documents: Documents },
  onProgress: (share: number) => void,
): AsyncGenerator<PartyPart> {
  const end = await events.head();
  const streams = new Set<string>();
  const chains = new Chains();
  const underWay = new Map<string, { readonly books: OrderBooks; row: LedgerRow | null }>();
  const refunds = new Refunds(documents);
  for await (const page of events.readPages(null)) {
    for (const raw of page) {
      const found = meant(raw, whose, streams);
      if (!found) continue;
      const { event, envelope } = found;
      if (categoryOf(raw.stream) !== 'security') {
        const breaches = chains.next(raw, envelope, true);
        if (breaches.length > 0) yield { breaches };
      }
      if (event.type === 'MandateOpened') streams.add(`mandate-${String(event.data['mandateId'])}`);
      const orderId = orderOf(raw.stream, event.data);
      const known = orderId === null ? undefined : underWay.get(orderId);
      const given = orderId === null ? null : await refunds.add(orderId, event);
      if (given) yield { line: given };
      if (orderId === null || (!known && WAY_BACK.includes(event.type))) {
        yield { line: storyLine(event) };
        const over = orderId === null ? null : await refunds.over(orderId);
        if (over) yield { refund: over };
        continue;
      }
      const order = known ?? { books: new OrderBooks(orderId), row: null };
      underWay.set(orderId, order);
      order.books.add(event);
      if (!order.row && AFTER_THE_LEDGER.includes(event.type)) {
        order.row = await ledgerRowOf(documents, orderId);
        if (order.row) yield { line: ledgerLine(orderId, order.row, event.metadata.occurredAt) };
      }
      yield { line: storyLine(event) };
      if (!order.books.isClosed) continue;
      underWay.delete(orderId);
      yield { order: order.books.against(order.row) };
    }
    const last = page.at(-1);
    if (last && end) onProgress(Math.min(1, Number(last.position) / Number(end.position)));
  }
  for (const { books } of underWay.values())
    yield { order: books.against(await ledgerRowOf(documents, books.orderId)) };
  for await (const refund of refunds.rest()) yield { refund };
}

/** The event, where it is one of theirs; null: it is somebody else's. */
const meant = (raw: RawEvent, whose: Whose, streams: Set<string>) => {
  const { stream, revision } = raw;
  const category = categoryOf(stream);
  const isPause = category === 'pause' && 'holder' in whose && idOf(stream) === whose.holder;
  const isNamedAfter = isPause || (category === 'delegation' && isTheirs(idOf(stream), whose));
  const mayBegin = MEMBER_OF.includes(category) && (revision === 0 || category === 'security');
  if (!isNamedAfter && !mayBegin && !streams.has(stream)) return null;
  const envelope = envelopeOf(raw);
  const event = envelope && auditedEvent(raw, envelope.metadata);
  if (!event) return null;
  const { data } = event;
  const isNamed = 'holder' in whose ? data['holder'] === whose.holder : data['clientId'] === whose.clientId;
  if (!isNamedAfter && !isNamed && !streams.has(stream)) return null;
  if (category !== 'security') streams.add(stream);
  return { event, envelope };
};

/** `<holder>.<client>`; a holder is a UUID, and a client's id may have dots. */
const isTheirs = (id: string, whose: Whose): boolean => {
  const dot = id.indexOf('.');
  return 'holder' in whose ? id.slice(0, dot) === whose.holder : id.slice(dot + 1) === whose.clientId;
};
