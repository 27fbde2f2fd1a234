import { LRUCache } from 'lru-cache';
import type { Written } from './event-log.program.embedded.js';

/** Of how many streams the end is known: as many as are kept folded. */
const STREAMS = 10_000;

/**
 * Where the streams end that this process appended to last. Nobody else appends to the file, so who has all of such a
 * stream need not ask the file for more: a stream is looked at several times for each command on it.
 */
export class StreamEnds {
  /** The last revision, by stream. */
  private readonly ends = new LRUCache<string, number>({ max: STREAMS });
  /** Position of the last append that was answered. */
  private last = 0;

  /** Whether it is known that the stream has nothing from this revision on. */
  isBeyond(stream: string, revision: number): boolean {
    const end = this.ends.get(stream);
    return end !== undefined && revision > end;
  }

  /** Notes that events are on their way to the stream: until they are answered, only the file knows where it ends. */
  sending(stream: string): void {
    this.ends.set(stream, Infinity);
  }

  /**
   * Notes where the last event of an append is. Of events that were sent again it says nothing: others may follow them
   * (docs/consistency.md, rule 12). Those have a position that was passed before.
   */
  answered(stream: string, { revision, position }: NonNullable<Written>): void {
    if (position <= this.last) return;
    this.last = position;
    this.ends.set(stream, revision);
  }
}
