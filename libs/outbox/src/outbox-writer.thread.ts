import { flights } from '#catalog/pure';
import { LeasedWork, type ReadModelStore, type SharedLease } from '#documents';
import type { Delivery, EventStore, StoredEvent } from '#event-store';
import { categoryOf, idOf } from '#events';
import { type Clock, type Party, partyKey, partyOf, plus, upTo } from '#kernel';
import { delegations, grantedOf, mandates } from '#mandate/pure';
import { orders } from '#order/pure';
import {
  consume,
  type Consumption,
  loadCheckpoint,
  saveCheckpoints,
  type StoredCheckpoint,
  type Taken,
} from '#read-models';
import { LRUCache } from 'lru-cache';
import {
  type EventType,
  holdersOf,
  mayBePublished,
  typeOfDelegation,
  typeOfOrder,
  typesOfMandate,
} from './event-types.js';
import { MandatesBefore } from './mandates-before.js';
import { forgetPlaces, KEPT, keyAt, OUTBOX, type Place, writePlaces } from './places.js';

/** Where this module is, for the thread that follows the log for the read models: it loads nothing else of this folder. */
export const OUTBOX_WRITER = new URL('./outbox-writer.thread.js', import.meta.url);

/** How many orders are remembered with their agents and mandates: those placed last. */
const REMEMBERED = 10_000;
/** How long (ms) after a batch began the next may begin: what comes meanwhile is written together. */
const PACE = 100;
/** How long (ms) its position may go unstored where nothing is published: its lag is never shown larger than this. */
const SAVING = 1_000;
/** How often (ms) what is too old is looked for. */
const FORGETTING = 60_000;

/** The owner of an order, and the mandate that pays it. */
type OrderOf = Pick<Place, 'holder' | 'clientId' | 'lane'>;
/** What of a place its event alone says, but for its number. */
type Published = Omit<Place, 'key' | 'id' | 'stream' | 'revision' | 'at'>;

export interface OutboxParts {
  readonly events: EventStore;
  readonly store: ReadModelStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly lease: SharedLease;
}

/** Writes down where each public event stands (docs/consistency.md, rule 39): in the log's order, and again the same after a crash. */
export class OutboxWriter {
  private readonly mandates: MandatesBefore;
  private readonly orders = new LRUCache<string, OrderOf>(upTo(REMEMBERED));
  private readonly writing: LeasedWork;
  private forgotAt = -Infinity;

  constructor(private readonly parts: OutboxParts) {
    this.mandates = new MandatesBefore(parts.events);
    this.writing = new LeasedWork({ ...parts, name: 'outbox', work: (over) => this.follow(over) });
  }

  start(): void {
    this.writing.start();
  }

  /** Finishes the batch under way. */
  stop(): Promise<void> {
    return this.writing.stop();
  }

  private follow(signal: AbortSignal): Promise<void> {
    const { events, clock, onError } = this.parts;
    return consume({ begin: () => this.begin(signal), onError }, { events, clock, pace: () => PACE, signal });
  }

  private async begin(signal: AbortSignal): Promise<Consumption> {
    const { store, clock } = this.parts;
    await store.prepare(OUTBOX);
    let stored = await loadCheckpoint(store, OUTBOX.name);
    let reached = stored;
    let savedAt = clock.monotonic();
    const take = async (batch: readonly Delivery[] | null): Promise<Taken> => {
      if (batch) reached = await this.write(batch, reached);
      // While nothing is published, the position can wait for an event that is, or until nothing more comes, and for a moment at most.
      const isEarly = clock.monotonic() - savedAt < SAVING;
      const canWait = stored !== null && isEarly && (batch?.every(({ event }) => event === null) ?? false);
      if (!reached || reached === stored || canWait) return 'waits';
      const ahead = await saveCheckpoints(store, [{ collection: OUTBOX.name, reached, isNew: stored === null }]);
      if (ahead.length > 0) return 'overtaken';
      stored = reached;
      savedAt = clock.monotonic();
      await this.forget(signal);
      return 'stored';
    };
    const categories = [orders, mandates, delegations, flights].map(({ category }) => category);
    return { after: stored, categories, take };
  }

  private async write(batch: readonly Delivery[], before: StoredCheckpoint | null): Promise<StoredCheckpoint> {
    const oldest = plus(this.parts.clock.now(), -KEPT);
    const places: Place[] = [];
    for (const { event } of batch) {
      if (!event || event.metadata.occurredAt < oldest) continue;
      if (mayBePublished(event.type)) places.push(...(await this.placesOf(event)));
      else this.pass(event);
    }
    await writePlaces(this.parts.store, places);
    const last = batch.at(-1);
    if (!last) throw new Error('a batch has something in it');
    const told = batch.findLast(({ event }) => event !== null)?.event;
    const { checkpoint } = last;
    return { ...checkpoint, lastEvent: told?.position ?? before?.lastEvent ?? '', goal: checkpoint.position };
  }

  /** Passes over an event that is not published, and notes what others need of it. */
  private pass(event: StoredEvent): void {
    if (categoryOf(event.stream) === mandates.category) this.mandates.pass(event);
    if (event.type !== 'OrderPlaced') return;
    const order = orders.decode(event);
    if (order.type === 'OrderPlaced') this.orders.set(idOf(event.stream), orderOf(order.data));
  }

  private async placesOf(event: StoredEvent): Promise<readonly Place[]> {
    const { stream, revision, position, metadata } = event;
    const published = await this.publishedOf(event);
    return published.flatMap((one, number) =>
      one === null
        ? []
        : {
            ...one,
            key: keyAt(position, number),
            id: idAt(metadata.eventId, number),
            stream,
            revision,
            at: metadata.occurredAt,
          },
    );
  }

  /** What is published of an event, each at its number; null: nothing at this one. */
  private async publishedOf(event: StoredEvent): Promise<readonly (Published | null)[]> {
    switch (categoryOf(event.stream)) {
      case orders.category:
        return this.publishedOfOrder(event);
      case mandates.category:
        return this.publishedOfMandate(event);
      case delegations.category: {
        const type = typeOfDelegation(delegations.decode(event));
        const party = type && delegations.partyOf(event.stream, delegations.decider.initialState());
        return party ? [{ type, ...party, lane: party.clientId }] : [];
      }
      case flights.category:
        return event.type === 'FlightCancelled' ? this.publishedOfCancellation(event) : [];
      default:
        return [];
    }
  }

  private async publishedOfOrder(event: StoredEvent): Promise<readonly Published[]> {
    const type = typeOfOrder(orders.decode(event));
    const of = type && (await this.orderOf(idOf(event.stream)));
    return of ? [{ type, ...of }] : [];
  }

  private async publishedOfMandate(stored: StoredEvent): Promise<readonly Published[]> {
    const event = mandates.decode(stored);
    const change = await this.mandates.change(stored, event);
    const mandate = grantedOf(change.after);
    const { actor } = stored.metadata;
    const types = typesOfMandate(event, { ...change, isByAgent: actor.clientId === mandate.clientId });
    return types.map((type) => ({ type, ...partyOf(mandate), lane: mandate.mandateId }));
  }

  /** Every agent with orders on the flight gets one event, at the number of its first order, which is always the same. */
  private async publishedOfCancellation({ stream, revision }: StoredEvent): Promise<readonly (Published | null)[]> {
    const before = [];
    for await (const event of this.parts.events.readStream(stream)) {
      if (event.revision >= revision) break;
      before.push(flights.decode(event));
    }
    const type: EventType = 'flight.cancelled';
    const published: (Published | null)[] = [];
    const places = new Map<string, number>();
    for (const [number, { orderId, holds }] of holdersOf(before).entries()) {
      published.push(null);
      const of = holds ? await this.orderOf(orderId) : null;
      if (!of) continue; // it never began, and fails
      const agent = partyKey(of);
      const place = places.get(agent) ?? number;
      places.set(agent, place);
      const orderIds = [...(published[place]?.orderIds ?? []), orderId];
      published[place] = { type, holder: of.holder, clientId: of.clientId, lane: idOf(stream), orderIds };
    }
    return published;
  }

  /** The owner of an order; null: it was never placed. */
  private async orderOf(orderId: string): Promise<OrderOf | null> {
    const known = this.orders.get(orderId);
    if (known) return known;
    for await (const event of this.parts.events.readStream(orders.streamOf(orderId))) {
      const placed = orders.decode(event);
      if (placed.type !== 'OrderPlaced') break;
      const of = orderOf(placed.data);
      this.orders.set(orderId, of);
      return of;
    }
    return null;
  }

  /** Deletes what is older than it may be asked for, once a minute. */
  private async forget(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.parts;
    if (clock.monotonic() - this.forgotAt < FORGETTING) return;
    this.forgotAt = clock.monotonic();
    while ((await forgetPlaces(store, plus(clock.now(), -KEPT))) > 0) if (signal.aborted) return;
  }
}

const orderOf = ({ mandateId, ...party }: Party & { readonly mandateId: string }): OrderOf => ({
  ...partyOf(party),
  lane: mandateId,
});

const idAt = (eventId: string, number: number): string =>
  `evt_${eventId.replaceAll('-', '')}${number === 0 ? '' : `_${number}`}`;
