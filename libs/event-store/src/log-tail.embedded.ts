import { categoryOf, type EventData } from '#events';
import type { Written } from './event-log.program.embedded.js';
import { eventOf, type EventRows } from './event-rows.embedded.js';
import type { EventMetadata, EventToAppend, StoredEvent } from './event-store.port.js';
import { positionOf } from './position.js';

/** Half of what is kept of the last events at most, in bytes of JSON: events of traffic may have 64 KB each. */
const HALF = 1024 * 1024;

/**
 * The end of the log, for those who follow it: what this process appended last is in memory, parsed once for all of them,
 * and only who is further behind reads the file. Events are contiguous, since positions have no gaps.
 */
export class LogTail {
  private recent: StoredEvent[] = [];
  /** Where in these the newer half begins, and how many bytes that has. */
  private newer = { begin: 0, bytes: 0 };
  private last: number;

  constructor(private readonly rows: EventRows) {
    this.last = rows.end();
  }

  /** Place of the last event that is known to be in the file; 0 for an empty log. */
  get end(): number {
    return this.last;
  }

  /** Notes what was appended, and where its last event is. What was noted before changes nothing. */
  add(stream: string, events: readonly EventToAppend[], last: NonNullable<Written>): void {
    if (last.position <= this.last) return;
    const [firstPlace, firstRevision] = [last.position - events.length + 1, last.revision - events.length + 1];
    // An append of which nothing was heard: those before it are not all here.
    if (firstPlace !== this.last + 1) this.keepFrom(this.recent.length);
    this.last = last.position;
    this.recent.push(
      ...events.map(({ type, data, metadata }, offset) => ({
        stream,
        revision: firstRevision + offset,
        position: positionOf(firstPlace + offset),
        type,
        data: JSON.parse(data) as EventData,
        metadata: JSON.parse(metadata) as EventMetadata,
      })),
    );
    this.newer.bytes += events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    if (this.newer.bytes > HALF) this.keepFrom(this.newer.begin);
  }

  /** Forgets the events before one of them; what is left is the older half from now on. */
  private keepFrom(first: number): void {
    this.recent = this.recent.slice(first);
    this.newer = { begin: this.recent.length, bytes: 0 };
  }

  /** The events in (from, to] of some categories. @throws StoreUnavailable */
  between(from: number, to: number, categories: readonly string[]): readonly StoredEvent[] {
    const before = this.last - this.recent.length;
    if (from < before) return this.rows.between(from, to, categories).map(eventOf);
    return this.recent
      .slice(from - before, to - before)
      .filter(({ stream }) => categories.includes(categoryOf(stream)));
  }
}
