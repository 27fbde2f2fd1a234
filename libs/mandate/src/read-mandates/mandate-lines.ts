import { Injectable } from '@nestjs/common';
import {
  CHAIN_START,
  chained,
  type ChainEnd,
  EventStore,
  NO_STREAM,
  type Position,
  type StoredEvent,
} from '#event-store';
import type { MandateEvent } from '#events';
import { Clock, type ErrorCode, type Instant, KeyedMutex, type Money, TimeSlices } from '#kernel';
import { LRUCache } from 'lru-cache';
import { mandateDecider, mandates } from '../mandate.decider.js';
import { type GrantedMandate, type Mandate, remainingOf } from '../mandate.state.js';
import type { Refused } from '../refusal-words.js';

/** One event of a mandate. `orderId`, `amount`, `reason` and `refused` are null where the event has none. */
export interface HistoryLine {
  readonly revision: number;
  readonly type: MandateEvent['type'];
  readonly occurredAt: Instant;
  /** The agent that acted; null: the system. */
  readonly clientId: string | null;
  readonly orderId: string | null;
  readonly amount: Money | null;
  readonly remaining: Money;
  readonly reason: ErrorCode | null;
  readonly refused: Refused | null;
  /** Paused or resumed with all agents of its traveller. */
  readonly isOfAll?: true;
  /** Hex SHA-256 that chains the event to the one before it, and that one's; of the first, 64 zeros (rule 27). */
  readonly hash: string;
  readonly previousHash: string;
}

export interface PlacedLine {
  readonly line: HistoryLine;
  readonly position: Position;
}

/** What happened to a mandate for one order, the newest first; or one event that belongs to no order. */
export type HistoryEntry = readonly [HistoryLine, ...(readonly HistoryLine[])];

/** The revisions of the events of one order, or the one of an event that belongs to none; oldest first. */
export type Entry = readonly [number, ...(readonly number[])];

interface Mark extends ChainEnd {
  readonly mandate: Mandate;
}

/** What is kept of a stream, from which any of its lines is read without the whole of it. */
interface Kept {
  /** The mandate before every `EVERY`-th event. */
  readonly marks: Mark[];
  /** By order, in the order of their last events. */
  readonly entries: Map<string, Entry>;
  last: Mark;
}

/** How many events are read at most for a line that is wanted. */
const EVERY = 200;
/** Events of all mandates of which this is kept, some 100 bytes for each; what a mandate takes beside them. */
const [MOST, BESIDE] = [200_000, 20];

const beginning = (): Kept => {
  const last = { mandate: mandateDecider.initialState(), revision: NO_STREAM, hash: CHAIN_START };
  return { marks: [], entries: new Map(), last };
};

/** What happened to mandates, line by line. A long life is read whole once, and then what is asked for, and what has come since. */
@Injectable()
export class MandateLines {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MOST,
    sizeCalculation: ({ last }) => BESIDE + last.revision + 1,
  });
  private readonly turns = new KeyedMutex();
  private readonly slices: TimeSlices;

  constructor(
    private readonly events: EventStore,
    clock: Clock,
  ) {
    this.slices = new TimeSlices(clock);
  }

  /** Lines from a revision on, oldest first, at most `limit`, and how many there are in all. @throws StreamDamaged */
  async from(
    mandateId: string,
    revision: number,
    limit: number,
  ): Promise<{ readonly lines: readonly PlacedLine[]; readonly count: number }> {
    const kept = await this.current(mandateId);
    const count = kept.last.revision + 1;
    const length = Math.max(0, Math.min(limit, count - revision));
    const wanted = Array.from({ length }, (_, at) => revision + at);
    return { lines: [...(await this.at(mandateId, kept, wanted)).values()], count };
  }

  /** What happened by order, newest first: entries that end before a revision. `isAll`: none is older. @throws StreamDamaged */
  async byOrder(
    mandateId: string,
    before: number,
    limit: number,
  ): Promise<{ readonly entries: readonly HistoryEntry[]; readonly isAll: boolean }> {
    const kept = await this.current(mandateId);
    const { page, isAll } = newestEntries([...kept.entries.values()], { limit, before });
    const lines = await this.at(
      mandateId,
      kept,
      page.flat().sort((one, other) => one - other),
    );
    const entryOf = (entry: Entry): readonly HistoryEntry[] => {
      const [last, ...more] = entry.toReversed().flatMap((revision) => lines.get(revision)?.line ?? []);
      return last ? [[last, ...more]] : [];
    };
    return { entries: page.flatMap(entryOf), isAll };
  }

  /** What is kept of a mandate, up to its last event. One at a time reads on. */
  private async current(mandateId: string): Promise<Kept> {
    return this.turns.take(mandateId, async () => {
      const kept = this.kept.get(mandateId) ?? beginning();
      for await (const { line, mark } of this.after(mandateId, kept.last)) {
        if (line.revision % EVERY === 0) kept.marks.push(kept.last);
        kept.last = mark;
        addTo(kept.entries, line);
      }
      this.kept.set(mandateId, kept);
      return kept;
    });
  }

  /** The lines at these revisions, which ascend, each read from the mark before it. */
  private async at(mandateId: string, { marks }: Kept, wanted: readonly number[]): Promise<Map<number, PlacedLine>> {
    const lines = new Map<number, PlacedLine>();
    for (const place of new Set(wanted.map((revision) => Math.floor(revision / EVERY)))) {
      const mark = marks[place];
      const left = new Set(wanted.filter((revision) => Math.floor(revision / EVERY) === place));
      if (!mark) continue;
      for await (const { line, position } of this.after(mandateId, mark)) {
        if (left.delete(line.revision)) lines.set(line.revision, { line, position });
        if (left.size === 0) break;
      }
    }
    return lines;
  }

  /** The lines after a mark, and the mandate after each. */
  private async *after(mandateId: string, mark: Mark): AsyncGenerator<PlacedLine & { readonly mark: Mark }> {
    const stream = mandates.streamOf(mandateId);
    let { mandate, hash: previousHash } = mark;
    for await (const stored of chained(stream, this.events.readStream(stream, mark.revision + 1), mark)) {
      while (this.slices.isOver()) await this.slices.next();
      const event = mandates.decode(stored);
      mandate = mandateDecider.evolve(mandate, event);
      const { revision, position } = stored;
      const { hash } = stored.metadata;
      // One that was abandoned is shown to nobody.
      if (mandate.kind !== 'granted') return;
      yield { line: lineOf(stored, event, mandate, previousHash), position, mark: { mandate, revision, hash } };
      previousHash = hash;
    }
  }
}

/** Puts an event with those of its order, after whatever happened before it. */
export const addTo = (
  entries: Map<string, Entry>,
  { revision, orderId }: Pick<HistoryLine, 'revision' | 'orderId'>,
): void => {
  const key = orderId ?? String(revision);
  const known = entries.get(key);
  entries.delete(key);
  entries.set(key, known ? [...known, revision] : [revision]);
};

/** The newest entries whose last event is before a revision, of entries in the order of their last events. */
export const newestEntries = (
  entries: readonly Entry[],
  { limit, before }: { readonly limit: number; readonly before: number },
): { readonly page: readonly Entry[]; readonly isAll: boolean } => {
  const page: Entry[] = [];
  for (const entry of entries.toReversed()) {
    if ((entry.at(-1) ?? 0) >= before) continue;
    if (page.length === limit) return { page, isAll: false };
    page.push(entry);
  }
  return { page, isAll: true };
};

const lineOf = (
  { revision, metadata }: StoredEvent,
  { type, data }: MandateEvent,
  after: GrantedMandate,
  previousHash: string,
): HistoryLine => ({
  revision,
  type,
  occurredAt: metadata.occurredAt,
  clientId: metadata.actor.clientId,
  orderId: 'orderId' in data ? data.orderId : null,
  amount: 'amount' in data ? data.amount : 'limit' in data ? data.limit : null,
  remaining: remainingOf(after),
  reason: 'reason' in data ? data.reason : null,
  refused: 'reason' in data ? data : null,
  ...('pause' in data && data.pause !== undefined && { isOfAll: true }),
  hash: metadata.hash,
  previousHash,
});
