import type { Checkpoint, Delivery, StoredEvent } from '#event-store';
import type { Batch } from './batches.js';

/** The events of a batch, and the checkpoint that all of it leads to. */
export const contentOf = (batch: Batch<Delivery>): { checkpoint: Checkpoint; events: readonly StoredEvent[] } => {
  let [{ checkpoint }] = batch;
  const events: StoredEvent[] = [];
  for (const delivery of batch) {
    ({ checkpoint } = delivery);
    if (delivery.event) events.push(delivery.event);
  }
  return { checkpoint, events };
};
