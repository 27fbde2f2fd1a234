import type { ReadModelStore } from '#documents';
import { BEGINNING, type EventStore } from '#event-store';
import { loadCheckpoints } from './checkpoints.js';

/** The read models know events that the log does not have: it was cut, or replaced by another one. */
export class AheadOfLog extends Error {
  override readonly name = 'AheadOfLog';
}

/**
 * A read model that stands past the end of the log would wait for ever, and show what never happened.
 *
 * @throws AheadOfLog with a message for the operator
 */
export const refuseAheadOfLog = async (
  events: EventStore,
  store: ReadModelStore,
  collections: readonly string[],
): Promise<void> => {
  const checkpoints = await loadCheckpoints(store, collections);
  // Read afterwards: the log grows, and other processes project what it grows by.
  const end = (await events.head())?.position ?? BEGINNING;
  for (const [collection, { lastEvent }] of checkpoints) {
    if (lastEvent <= end) continue;
    throw new AheadOfLog(
      `the read model ${collection} knows events past the end of the log: the log was cut or replaced. ` +
        'Put the right log back; if this is the right one, delete the read models, and they are built anew.',
    );
  }
};
