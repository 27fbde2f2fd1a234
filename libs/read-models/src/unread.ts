import type { Checkpoint, EventStore, Position } from '#event-store';
import { categoryOf, UnreadableEvent } from '#events';
import { type Projection, recorded } from './projection.js';

/** How many events after a checkpoint are looked at: as many as a projector handles together, and as many of others. */
const LOOKED_AT = 2_000;

/** An event at which a read model has stopped, since this program cannot read it. */
export interface UnreadEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** Why it cannot. */
  readonly message: string;
}

/**
 * The event that a projection which stands at `checkpoint` does not get past; null: none. Read and not subscribed to, which
 * would wait for a log that is damaged.
 */
export const unreadAfter = async (
  events: EventStore,
  projection: Projection<object>,
  checkpoint: Checkpoint | null,
): Promise<UnreadEvent | null> => {
  const categories = projection.from.map(({ category }) => category);
  let looked = 0;
  for await (const event of events.readAll(checkpoint)) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    if (!categories.includes(categoryOf(event.stream))) continue;
    try {
      recorded(projection, event);
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      const { stream, revision, position } = event;
      return { stream, revision, position, message: error.message };
    }
  }
  return null;
};
