import type { EventStore, StoredEvent } from '#event-store';
import { type MandateEvent, idOf } from '#events';
import { upTo } from '#kernel';
import { type Mandate, mandates } from '#mandate/pure';
import { LRUCache } from 'lru-cache';

/** How many mandates are remembered: those that changed last. */
const REMEMBERED = 2_000;

/** Mandates as they were before an event that is being read in the log's order; remembered, or folded from their streams. */
export class MandatesBefore {
  private readonly known = new LRUCache<string, { readonly revision: number; readonly mandate: Mandate }>(
    upTo(REMEMBERED),
  );

  constructor(private readonly events: EventStore) {}

  /** The mandate before and after an event. */
  async change(
    stored: StoredEvent,
    event: MandateEvent,
  ): Promise<{ readonly before: Mandate; readonly after: Mandate }> {
    const before = this.remembered(stored) ?? (await this.folded(stored));
    const after = mandates.decider.evolve(before, event);
    this.known.set(idOf(stored.stream), { revision: stored.revision, mandate: after });
    return { before, after };
  }

  /** Goes past an event that changes nothing of what is asked here. */
  pass(stored: StoredEvent): void {
    const mandate = this.remembered(stored);
    if (mandate) this.known.set(idOf(stored.stream), { revision: stored.revision, mandate });
  }

  private remembered({ stream, revision }: StoredEvent): Mandate | null {
    if (revision === 0) return mandates.decider.initialState();
    const known = this.known.get(idOf(stream));
    return known?.revision === revision - 1 ? known.mandate : null;
  }

  private async folded({ stream, revision }: StoredEvent): Promise<Mandate> {
    let mandate = mandates.decider.initialState();
    for await (const earlier of this.events.readStream(stream)) {
      if (earlier.revision >= revision) break;
      mandate = mandates.decider.evolve(mandate, mandates.decode(earlier));
    }
    return mandate;
  }
}
