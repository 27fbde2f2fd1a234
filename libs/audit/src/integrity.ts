import { LRUCache } from 'lru-cache';
import type { Position } from '#event-store';
import { MandateHistory, parseCheckpoint, parseNote, StreamChain } from '#verifier';
import { nodeCrypto } from '#transparency';
import type { BundleSources } from './export-bundle.js';

/** What can be said of one stream before anybody downloads it. */
export interface Integrity {
  /** Whether every event is chained to the one before it, and of a mandate whether every rule was kept. */
  readonly isIntact: boolean;
  readonly events: number;
  /** How many of them are in the sealed log. */
  readonly sealed: number;
  /** What that rests on; null: nothing is sealed yet. `root` in base64. */
  readonly checkpoint: { readonly origin: string; readonly size: number; readonly root: string } | null;
}

/** What was found of a stream up to its last event so far, and what goes on from there. */
interface Checked {
  readonly chain: StreamChain;
  readonly mandate: MandateHistory | null;
  events: number;
  broken: number;
  /** Where those lie that are not known to be sealed. */
  unsealed: readonly Position[];
}

/** Events of all streams whose checks are kept; what a stream takes beside its own. */
const [MOST, BESIDE] = [200_000, 20];

/** Checks streams by the verifier's rules as they are read, and keeps the verdict up to the last event. */
export class Integrities {
  private readonly checked = new LRUCache<string, Checked>({
    maxSize: MOST,
    sizeCalculation: ({ events }) => BESIDE + events,
  });

  /** By stream, the last look at it that was begun: looks at one stream go on from one another. */
  private readonly looks = new Map<string, Promise<Integrity>>();

  constructor(private readonly sources: BundleSources) {}

  async of(stream: string): Promise<Integrity> {
    const before = this.looks.get(stream);
    const look = (before ?? Promise.resolve()).then(
      () => this.look(stream),
      () => this.look(stream),
    );
    this.looks.set(stream, look);
    try {
      return await look;
    } finally {
      if (this.looks.get(stream) === look) this.looks.delete(stream);
    }
  }

  private async look(stream: string): Promise<Integrity> {
    const checked = this.checked.get(stream) ?? begun(stream);
    await this.goOn(stream, checked);
    this.checked.set(stream, checked);
    const checkpoint = await this.seal(checked);
    const { events, broken, unsealed } = checked;
    return { isIntact: broken === 0, events, sealed: events - unsealed.length, checkpoint };
  }

  private async goOn(stream: string, checked: Checked): Promise<void> {
    const positions: Position[] = [];
    try {
      for await (const event of this.sources.events.readStream(stream, checked.events)) {
        checked.broken += checked.chain.next(event).length + (checked.mandate?.next(event).breaches.length ?? 0);
        checked.events += 1;
        positions.push(event.position);
      }
    } finally {
      checked.unsealed = [...checked.unsealed, ...positions];
    }
  }

  /** Finds out what has been sealed since; returns what that rests on. */
  private async seal(checked: Checked): Promise<Integrity['checkpoint']> {
    const { log } = this.sources;
    const sealed = await log.sealed();
    const head = sealed && parseCheckpoint(parseNote(sealed.checkpoint).text);
    if (!head) return null;
    const indexes = await log.indexesOf(checked.unsealed);
    checked.unsealed = checked.unsealed.filter((_, place) => {
      const index = indexes[place] ?? null;
      return index === null || index >= head.size;
    });
    return { ...head, root: Buffer.from(head.root).toString('base64') };
  }
}

const begun = (stream: string): Checked => ({
  chain: new StreamChain(nodeCrypto.sha256),
  mandate: stream.startsWith('mandate-') ? new MandateHistory(stream) : null,
  events: 0,
  broken: 0,
  unsealed: [],
});
