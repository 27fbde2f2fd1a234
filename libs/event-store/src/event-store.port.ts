import { LogScan } from './log-scan.port.js';
import type { Checkpoint, EventToAppend, Position, StoredEvent } from './stored-event.js';

export { isOf, NO_STREAM } from './stored-event.js';
export type * from './stored-event.js';

/** What a subscription delivers: an event, or (event null) that the log is read up to a checkpoint without one. */
export interface Delivery {
  readonly event: StoredEvent | null;
  readonly checkpoint: Checkpoint;
}

export interface Appended {
  /** Revision of the last event appended. */
  readonly revision: number;
  /** Position of the last event appended; null where the store does not report it. */
  readonly position: Position | null;
}

export interface SubscriptionOptions {
  /** Where to go on; null: from the beginning. */
  readonly after: Checkpoint | null;
  /** Categories of streams to deliver (`order` for `order-…`), also what another program has written there; null: all streams. */
  readonly categories: readonly string[] | null;
  readonly signal: AbortSignal;
}

/** The event log. No transaction spans two streams. */
export abstract class EventStore extends LogScan {
  /**
   * Appends `events` in one piece, durably, if the stream's last revision is `expectedRevision` (or `NO_STREAM`).
   * The identical events at the same revision succeed again, also once the stream has moved on (rule 12).
   * @throws RevisionConflict, AppendOutcomeUnknown, StoreUnavailable
   */
  abstract append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended>;

  /** The events of `stream` in order, from `fromRevision` on; none where the stream does not exist. */
  abstract readStream(stream: string, fromRevision?: number): AsyncIterable<StoredEvent>;

  /** Whether it is known, with nobody asked, that a stream has nothing after a revision. */
  endsAt(_stream: string, _revision: number): boolean {
    return false;
  }

  /** The last event of the log: where it ends and when that happened; null while it is empty. */
  abstract head(): Promise<StoredEvent | null>;

  /** The events after a checkpoint and those to come, without gap or repeat. A delivery without one: silence so far. */
  abstract subscribe(options: SubscriptionOptions): AsyncIterable<Delivery>;

  /** Finishes what is under way and lets go of the log. */
  abstract close(): Promise<void>;
}
