import type { Written } from './event-log.program.embedded.js';
import { eventOf, type EventRows, PAGE, type Row } from './event-rows.embedded.js';
import type { Delivery, EventToAppend, StoredEvent, SubscriptionOptions } from './event-store.port.js';
import { type EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Checkpoint, isOf, positionOf } from './stored-event.js';

/** Half of what is kept of the last events at most, in bytes of JSON: events of traffic may have 64 KB each. */
const HALF = 1024 * 1024;

/** The end of the log, for those who follow it: the last events are in memory; who is further behind reads the file. */
export class LogTail {
  private recent: StoredEvent[] = [];
  /** Where in these the newer half begins, and how many bytes that has. */
  private newer = { begin: 0, bytes: 0 };
  private last: number;
  private followers = 0;

  constructor(private readonly rows: EventRows) {
    this.last = rows.end();
  }

  /** Place of the last event that is known to be in the file; 0 for an empty log. */
  get end(): number {
    return this.last;
  }

  /** Somebody follows, until the function is called that this answers. While nobody does, no event is kept. */
  begin(): () => void {
    this.followers += 1;
    return () => {
      this.followers -= 1;
    };
  }

  /** Notes what was appended, and where its last event is. What was noted before changes nothing. */
  add(stream: string, events: readonly EventToAppend[], { revision, position }: NonNullable<Written>): void {
    if (position <= this.last) return;
    const [firstPlace, firstRevision] = [position - events.length + 1, revision - events.length + 1];
    const row = ({ type, data, metadata }: EventToAppend, offset: number): Row => ({
      stream,
      revision: firstRevision + offset,
      position: firstPlace + offset,
      type,
      data,
      metadata,
    });
    this.take(firstPlace, position, () => events.map(row));
  }

  /** Notes what another connection appended: what a page holds is read once for all who follow, more by each of them. */
  refresh(): void {
    const end = this.rows.end();
    if (end <= this.last) return;
    const from = Math.max(this.last, end - PAGE);
    this.take(from + 1, end, () => this.rows.between(from, end));
  }

  private take(first: number, last: number, rows: () => readonly Row[]): void {
    // An append of which nothing was heard, or nobody to read on: those before it are not all here.
    if (first !== this.last + 1 || this.followers === 0) this.keepFrom(this.recent.length);
    this.last = last;
    if (this.followers === 0) return;
    for (const row of rows()) {
      this.recent.push(eventOf(row));
      this.newer.bytes += row.data.length + row.metadata.length;
    }
    if (this.newer.bytes > HALF) this.keepFrom(this.newer.begin);
  }

  /** Forgets the events before one of them; what is left is the older half from now on. */
  private keepFrom(first: number): void {
    this.recent = this.recent.slice(first);
    this.newer = { begin: this.recent.length, bytes: 0 };
  }

  /** The events in (from, to] of some categories (null: of all). @throws StoreUnavailable */
  between(from: number, to: number, categories: readonly string[] | null): readonly StoredEvent[] {
    const before = this.last - this.recent.length;
    if (from < before) return this.rows.between(from, to, categories).map(eventOf);
    return this.recent.slice(from - before, to - before).filter(({ stream }) => isOf(categories, stream));
  }
}

/** The place in the file that a checkpoint stands for. */
export const placeOf = (checkpoint: Checkpoint | null): number => Number(checkpoint?.position ?? 0);

/** Delivers what the log has after a checkpoint, by pages, then what `news` announces; and how far silence reaches. */
export async function* follow(
  log: LogTail,
  news: EventEmitter,
  { after, categories, signal }: SubscriptionOptions,
): AsyncGenerator<Delivery> {
  const end = log.begin();
  try {
    const isOver = () => signal.aborted; // it changes while a delivery is being handled
    let read = placeOf(after);
    let hasCaughtUp = false;
    while (!isOver()) {
      const last = log.end;
      const from = read;
      read = Math.max(from, Math.min(from + PAGE, last));
      let delivered = from;
      for (const event of log.between(from, read, categories)) {
        yield { event, checkpoint: { position: event.position } };
        if (isOver()) return;
        delivered = Number(event.position);
      }
      const catchesUp: boolean = read >= last && !hasCaughtUp;
      if (delivered < read || catchesUp) yield { event: null, checkpoint: { position: positionOf(read) } };
      hasCaughtUp ||= catchesUp;
      // Looked at and waited for in one turn of the loop, so that no append falls between.
      if (read >= log.end) await nextAppend(news, signal);
      else await nextTurn();
    }
  } finally {
    end();
  }
}

const nextAppend = async (news: EventEmitter, signal: AbortSignal): Promise<void> => {
  try {
    await once(news, 'appended', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
