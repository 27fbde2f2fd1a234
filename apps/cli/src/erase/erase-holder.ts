import { loadBooking, Travellers } from '#booking';
import { CARD_FINGERPRINTS, finishCheckout } from '#checkout';
import { type EventStore, type Position, shareOf } from '#event-store';
import { bookingEvents, categoryOf, delegationEvents, idOf, mandateEvents } from '#events';
import { Accounts, Passwords, Sessions } from '#identity';
import { type Context, newCause, SYSTEM } from '#kernel';
import { MandatePurposes, PendingMandates } from '#mandate';
import { AttachedMetadata } from '#http';
import { AuthorizationRequests, Consents, Grants, revokeAgent } from '#oauth';
import { Notices } from '#outbox';
import { checkoutsOf, type Dependencies } from '#runtime';
import { forgetSessions } from '#ucp';

export interface Erased {
  /** Whether the holder was ever known: there was an account, or there are events. */
  readonly isKnown: boolean;
  readonly account: boolean;
  readonly sessions: number;
  readonly grants: number;
  readonly consents: number;
  /** Agents that they had let in, now or at any time before. */
  readonly agents: number;
  readonly ordersSettled: number;
  /** Names and documents of who pays. */
  readonly buyers: number;
  /** Bookings and orders that said who flies. */
  readonly travellers: number;
  readonly purposes: number;
  readonly notices: number;
  /** Bookings, mandates and orders on which agents had noted something. */
  readonly metadata: number;
  /** Addresses to which events of agents are sent. */
  readonly webhooks: number;
  /** What platforms put together that they bought or tried to. */
  readonly checkouts: number;
  /** By which platforms pay with their cards. */
  readonly keptCards: number;
  /** Answers kept for requests that are sent again. */
  readonly answers: number;
}

type Erasing = Awaited<ReturnType<typeof openErasure>>;

/** Builds it on what a program has open, whose collections are prepared. */
export const openErasure = async (dependencies: Dependencies) => {
  const { events, documents, clock, ids, aggregates, idempotent, oauthSettings, endpoints, deliveries, keptCards } =
    dependencies;
  const accounts = new Accounts(documents, ids, new Passwords(oauthSettings));
  const erasing = {
    accounts,
    sessions: new Sessions(documents, clock, accounts),
    grants: new Grants(documents, clock),
    consents: new Consents(documents, clock),
    requests: new AuthorizationRequests(documents, clock),
    purposes: new MandatePurposes(documents),
    metadata: new AttachedMetadata(documents, true),
  };
  for (const collection of Object.values(erasing)) await collection.prepare();
  const checkouts = checkoutsOf(dependencies);
  const pending = new PendingMandates(documents, aggregates, clock);
  const travellers = new Travellers(documents);
  const notices = new Notices(documents);
  const more = { notices, endpoints, deliveries, keptCards };
  return { ...erasing, ...more, events, documents, ids, pending, checkouts, travellers, idempotent };
};

/** Erases what leads from a holder to a person, access first, documents last (docs/consistency.md, rule 27). */
export const eraseHolder = async (
  holder: string,
  erasing: Erasing,
  onProgress: (share: number) => void,
): Promise<Erased> => {
  const { accounts, sessions, grants, consents, requests, events, ids } = erasing;
  const account = await accounts.remove(holder);
  const ended = {
    sessions: await sessions.endAll(holder),
    consents: await consents.forgetAll('holder', holder),
    grants: await grants.forgetAll('holder', holder),
  };
  await requests.forgetAll(holder);
  const context: Context = { actor: SYSTEM, ...newCause(ids) };
  const [traces, underWay] = [new Traces(), new Set<string>()];
  // What an order leaves that had passed its agent's check comes before the last reading, which finds no further agent.
  for (const revoked = new Set<string>(); ;) {
    await readTraces(holder, traces, events, onProgress);
    for (const bookingId of traces.openBookings) underWay.add(bookingId);
    const further = [...traces.clients].filter((clientId) => !revoked.has(clientId));
    if (further.length === 0) break;
    for (const clientId of further) {
      await revokeAgent(erasing, { holder, clientId }, context);
      revoked.add(clientId);
    }
  }
  for (const bookingId of underWay) await settle(erasing, bookingId, context);
  const documents = await deleteDocuments(holder, traces, erasing);
  return {
    isKnown: account || traces.clients.size > 0,
    account,
    ...ended,
    agents: traces.clients.size,
    ordersSettled: underWay.size,
    ...documents,
  };
};

/** Settles an order that no revoked mandate has money set aside for: a crash had left it before that. */
const settle = async ({ checkouts }: Erasing, bookingId: string, context: Context): Promise<void> => {
  const booking = await loadBooking(checkouts.aggregates, bookingId);
  if (booking.kind !== 'checkout') return;
  await finishCheckout(checkouts, { checkout: booking.checkout, failure: 'mandate_revoked' }, context);
};

const deleteDocuments = async (
  holder: string,
  { clients, mandates, orders, bookings }: Traces,
  { documents, checkouts, travellers, purposes, notices, pending, metadata, idempotent, ...erasing }: Erasing,
): Promise<
  Pick<
    Erased,
    'buyers' | 'travellers' | 'purposes' | 'notices' | 'metadata' | 'webhooks' | 'checkouts' | 'keptCards' | 'answers'
  >
> => {
  const webhooks = await erasing.endpoints.forget(holder);
  const keptCards = await erasing.keptCards.forget(holder);
  await erasing.deliveries.forget(holder);
  await checkouts.challengeSlots.forget(holder);
  await pending.forget(holder);
  await checkouts.cancellations.forget(holder, orders);
  await each(clients, (clientId) => checkouts.refusedCards.forget({ holder, clientId }));
  await each(orders, (orderId) => documents.delete(CARD_FINGERPRINTS.name, orderId));
  return {
    buyers: await each(orders, (orderId) => checkouts.buyers.delete(orderId)),
    travellers: await travellers.forgetAll(holder),
    purposes: await each(mandates, (mandateId) => purposes.forget(mandateId)),
    notices: await notices.forget(holder),
    metadata: await metadata.forgetAll(holder),
    webhooks,
    checkouts: await forgetSessions(documents, holder),
    keptCards,
    answers: await idempotent.forget(new Set([...bookings, ...mandates, ...orders])),
  };
};

/** How many documents are deleted at once: what waits together shares a flush of the disk. */
const AT_ONCE = 100;

/** Deletes something for each id; returns for how many there was anything. */
const each = async (ids: Iterable<string>, work: (id: string) => Promise<boolean>): Promise<number> => {
  const all = [...ids];
  let found = 0;
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const done = await Promise.all(all.slice(from, from + AT_ONCE).map(work));
    found += done.filter((wasThere) => wasThere).length;
  }
  return found;
};

/** What the log knows of a holder: the ids under which documents about them may lie. */
class Traces {
  readonly clients = new Set<string>();
  readonly mandates = new Set<string>();
  readonly orders = new Set<string>();
  readonly bookings = new Set<string>();
  /** The bookings that an order has taken and not ended. */
  readonly openBookings = new Set<string>();
  /** How far the log was read for them. */
  upTo: Position | null = null;
}

const holderIn = ({ holder }: { readonly holder?: unknown }): unknown => holder;

/** Reads the log from where `traces` end, since lists are hints. `onProgress`: the share that has been read. */
const readTraces = async (
  holder: string,
  traces: Traces,
  events: EventStore,
  onProgress: (share: number) => void,
): Promise<void> => {
  const { clients, mandates, orders, bookings, openBookings } = traces;
  const end = (await events.head())?.position;
  const after = traces.upTo === null ? null : { position: traces.upTo };
  for await (const { stream, type, data, position } of events.readAll(after)) {
    traces.upTo = position;
    if (end !== undefined) onProgress(shareOf(position, end));
    switch (categoryOf(stream)) {
      case 'delegation': {
        const name = idOf(stream);
        if (!name.startsWith(`${holder}.`)) break;
        clients.add(name.slice(holder.length + 1));
        if (type === 'MandateOpened') mandates.add(delegationEvents.MandateOpened.parse(data).mandateId);
        break;
      }
      case 'mandate':
        if (type === 'MandateRequested' && holderIn(data) === holder)
          mandates.add(mandateEvents.MandateRequested.parse(data).mandateId);
        break;
      case 'booking': {
        const bookingId = idOf(stream);
        if (type === 'BookingCreated' && holderIn(data) === holder) bookings.add(bookingId);
        if (!bookings.has(bookingId)) break;
        if (type === 'BookingCheckoutStarted') {
          orders.add(bookingEvents.BookingCheckoutStarted.parse(data).orderId);
          openBookings.add(bookingId);
        }
        if (type === 'BookingTicketed' || type === 'BookingCheckoutAbandoned') openBookings.delete(bookingId);
        break;
      }
    }
  }
  onProgress(1);
};
