import { categoryOf, type EventData } from '#events';
import type { Written } from './event-log.program.embedded.js';
import { eventOf, type EventRows } from './event-rows.embedded.js';
import type { EventMetadata, EventToAppend, StoredEvent } from './event-store.port.js';
import { positionOf } from './position.js';

/** How many of the last events are kept: some 2 MB of them. */
const KEPT = 1_024;

/**
 * The end of the log, for those who follow it: what this process appended last is in memory, parsed once for all of them,
 * and only who is further behind reads the file. Events are contiguous, since positions have no gaps.
 */
export class LogTail {
  private recent: StoredEvent[] = [];
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
    if (firstPlace !== this.last + 1) this.recent = [];
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
    if (this.recent.length > 2 * KEPT) this.recent = this.recent.slice(-KEPT);
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
