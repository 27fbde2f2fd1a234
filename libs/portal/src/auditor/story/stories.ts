import { Injectable } from '@nestjs/common';
import { Documents } from '#documents';
import { EventStore, type StoredEvent } from '#event-store';
import type { Checkout } from '#events';
import { mandates } from '#mandate';
import { type LedgerRow, ledgerRowOf, type RefundRow, refundRowOf } from '#checkout';
import { nodeCrypto } from '#transparency';
import { type Breach, chainBreaches } from '#verifier';
import { type Moment, momentOf } from './permission.js';
import { type Place, Places } from './places.js';

export interface ShownEvent {
  readonly event: StoredEvent;
  /** The hash of the event before it; null: it is the first of its stream. */
  readonly previousHash: string | null;
  readonly place: Place;
}

export interface Story {
  /** The last events, oldest first, at most `SHOWN`. */
  readonly cards: readonly ShownEvent[];
  readonly count: number;
  readonly breaches: readonly Breach[];
}

/** So many events of a stream are shown. Orders have six at most; a booking may be changed any number of times. */
const SHOWN = 100;

/** What happened in the streams, as they are stored, and what the ledger holds beside them. */
@Injectable()
export class Stories {
  constructor(
    private readonly events: EventStore,
    private readonly places: Places,
    private readonly documents: Documents,
  ) {}

  /** null: there is no such stream. */
  async of(stream: string): Promise<Story | null> {
    const events = await allOf(this.events.readStream(stream));
    if (events.length === 0) return null;
    const shown = events.slice(-SHOWN);
    const places = await this.places.of(shown);
    const first = events.length - shown.length;
    const cards = shown.map((event, at) => {
      const previousHash = events[first + at - 1]?.metadata.hash ?? null;
      return { event, previousHash, place: places[at] ?? null };
    });
    return { cards, count: events.length, breaches: chainBreaches(nodeCrypto.sha256, events) };
  }

  /** The mandate of an order when it decided about it; null: it never did. */
  moment(checkout: Checkout): Promise<Moment | null> {
    return momentOf(checkout, this.events.readStream(mandates.streamOf(checkout.mandateId)));
  }

  /** What the payment ledger holds of an order; null: nothing, so nothing was charged. */
  charge(orderId: string): Promise<LedgerRow | null> {
    return ledgerRowOf(this.documents, orderId);
  }

  /** What it holds of the refund of an order; null: nothing came back, or not yet. */
  refund(orderId: string): Promise<RefundRow | null> {
    return refundRowOf(this.documents, orderId);
  }
}

export const allOf = async (stream: AsyncIterable<StoredEvent>): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
};
