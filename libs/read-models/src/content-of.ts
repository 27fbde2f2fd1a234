import type { Checkpoint, Delivery, StoredEvent } from '#event-store';
import type { Batch } from './batches.js';

/** What a batch comes to: its events, and the checkpoint that all of it leads to. */
export interface Content<Reached extends Checkpoint | null = Checkpoint> {
  readonly checkpoint: Reached;
  readonly events: readonly StoredEvent[];
}

/** The content of a batch. */
export const contentOf = (batch: Batch<Delivery>): Content => {
  let [{ checkpoint }] = batch;
  const events: StoredEvent[] = [];
  for (const delivery of batch) {
    ({ checkpoint } = delivery);
    if (delivery.event) events.push(delivery.event);
  }
  return { checkpoint, events };
};
