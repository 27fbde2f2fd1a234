import { Collection, type CollectionSpec, type Documents } from '#documents';
import { type Instant, plus } from '#kernel';
import { KEPT, type Place } from '../places.js';
import { z } from 'zod';
import { storedPlace, type Webhook } from './stored-webhook.js';

/** Deliveries that did not arrive at the first try, or were asked for again. */
export const DELIVERIES: CollectionSpec = {
  name: 'webhook-deliveries',
  indexes: [{ fields: ['queue', 'key'] }, { fields: ['webhookId', 'key'] }, { fields: ['holder'] }],
};

/** How many a list shows. */
const SHOWN = 100;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const storedDelivery = z.object({
  webhookId: z.string(),
  holder: z.string(),
  key: z.string(),
  place: storedPlace,
  status: z.enum(DELIVERY_STATUSES),
  /** The endpoint again, while it waits. */
  queue: z.string().nullable(),
  attempts: z.int(),
  firstAt: z.string().nullable(),
  attemptedAt: z.string().nullable(),
  /** null: nothing was answered. */
  responseStatus: z.int().nullable(),
  /** When it is tried again at the earliest; null: once what comes before it has arrived, or not at all. */
  nextAt: z.string().nullable(),
});
export type StoredDelivery = z.infer<typeof storedDelivery>;

/** What became of a delivery, for its agent. */
export interface ListedDelivery extends Pick<
  StoredDelivery,
  'status' | 'attempts' | 'responseStatus' | 'attemptedAt' | 'nextAt'
> {
  readonly place: Place;
}

const idOf = (webhookId: string, { id }: Pick<Place, 'id'>): string => `${webhookId}.${id}`;

/** A delivery that nobody has tried yet. */
export const untried = (webhookId: string, place: Place, nextAt: Instant | null): StoredDelivery => ({
  ...{ webhookId, queue: webhookId, holder: place.holder, key: place.key },
  place,
  ...{ status: 'pending', attempts: 0, firstAt: null, attemptedAt: null, responseStatus: null, nextAt },
});

/** Methods throw DocumentsUnavailable. */
export class Deliveries {
  private readonly stored: Collection<StoredDelivery>;

  constructor(documents: Documents) {
    this.stored = new Collection(documents, DELIVERIES, storedDelivery);
  }

  /** Those that wait, oldest event first. */
  async queued(webhookId: string, limit: number): Promise<readonly StoredDelivery[]> {
    const queued = await this.stored.find({
      where: [{ field: 'queue', equals: webhookId }],
      sort: { field: 'key', direction: 'ascending' },
      limit,
    });
    return queued.map(({ body }) => body);
  }

  /** Stores what became of a delivery. Of two processes that tried it, the one that came last is believed. */
  async put(delivery: StoredDelivery): Promise<void> {
    const id = idOf(delivery.webhookId, delivery.place);
    await this.stored.update(id, () => delivery, { expiresAt: plus(delivery.place.at, KEPT) });
  }

  /** What became of the newest events of an endpoint, the newest first. */
  async listed({ id, body }: Webhook): Promise<readonly ListedDelivery[]> {
    const stored = await this.stored.find({
      where: [{ field: 'webhookId', equals: id }],
      sort: { field: 'key', direction: 'descending' },
      limit: SHOWN,
    });
    const known = new Set(stored.map(({ body: { key } }) => key));
    const atOnce = body.recent.filter(({ place }) => !known.has(place.key)).map(listedArrival);
    return [...stored.map(({ body: delivery }) => delivery), ...atOnce]
      .sort((one, other) => (one.place.key < other.place.key ? 1 : -1))
      .slice(0, SHOWN);
  }

  /** What became of one event; null: nothing is known of it. */
  async of(webhook: Webhook, eventId: string): Promise<ListedDelivery | null> {
    const stored = await this.stored.get(idOf(webhook.id, { id: eventId }));
    if (stored) return stored.body;
    const atOnce = webhook.body.recent.find(({ place }) => place.id === eventId);
    return atOnce ? listedArrival(atOnce) : null;
  }

  /** Deletes those of an endpoint. */
  forgetOf(webhookId: string): Promise<number> {
    return this.stored.deleteAll('webhookId', webhookId);
  }

  /** Deletes those of everybody. */
  forgetEvery(): Promise<number> {
    return this.stored.clear();
  }

  /** Erases those of a traveller; returns how many. */
  forget(holder: string): Promise<number> {
    return this.stored.deleteAll('holder', holder);
  }
}

const listedArrival = ({ place, at, responseStatus }: Webhook['body']['recent'][number]): ListedDelivery => ({
  ...{ place, status: 'delivered', attempts: 1, responseStatus, attemptedAt: at, nextAt: null },
});
