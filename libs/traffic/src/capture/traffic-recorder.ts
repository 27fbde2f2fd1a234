import { Aggregates, type EventStore } from '#event-store';
import { type MinuteOfTraffic, type TrafficEvent, trafficLog } from '#events';
import { type Cancel, type Clock, type Ids, type Instant, systemContext } from '#kernel';

/** How often (ms) counts are written, and how long stopping waits for the last write. */
const [FLUSH_INTERVAL, STOP_TIMEOUT] = [1_000, 5_000];
/** How long (ms) to wait between two tries of one append. */
const RETRY_AFTER = 100;

const CONTEXT = systemContext('agent-traffic');

/** What a recorder depends on. */
export interface Recording {
  readonly events: EventStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What was counted since the last call, or null. */
  readonly take: () => readonly MinuteOfTraffic[] | null;
  readonly onError: (error: unknown) => void;
}

/** Counts taken once and the stream they go to. It does not change, whatever is counted meanwhile. */
interface Snapshot {
  readonly at: Instant;
  readonly minutes: readonly MinuteOfTraffic[];
}

/** The process ended before the log answered. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/**
 * Writes the counts once a second (docs/consistency.md, rule 26), one event a snapshot, to a stream that only this start of
 * the process uses. A snapshot is sent in the same bytes until the log has answered, however long that takes; only then is
 * the next one taken. A crash loses what was not answered yet.
 */
export class TrafficRecorder {
  private readonly aggregates: Aggregates;
  private readonly start: string;
  private snapshot: Snapshot | null = null;
  private writing: Promise<void> | null = null;
  private timer: Cancel | null = null;
  private readonly stopped = new AbortController();

  constructor(private readonly recording: Recording) {
    const { events, clock, ids } = recording;
    this.start = ids.next();
    // Retries without limit: giving up on an append that did succeed would count it twice.
    this.aggregates = new Aggregates(events, clock, ids, { cached: 2, patience: Infinity, wait: () => this.wait() });
  }

  /** Starts writing once a second. */
  begin(): void {
    this.timer ??= this.recording.clock.every(FLUSH_INTERVAL, () => void this.flush());
  }

  /** Writes the counts unless a snapshot is being written; resolves once that one is answered or has failed. */
  flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = null));
    return this.writing;
  }

  /** Writes the remaining counts and ends. It gives up after five seconds, since the log may be gone. */
  async stop(): Promise<void> {
    this.timer?.();
    const giveUp = () => this.stopped.abort(new Unanswered('the log does not answer'));
    const cancel = this.recording.clock.after(STOP_TIMEOUT, giveUp);
    await this.writing; // what was counted while that was under way goes into the next snapshot
    await this.flush();
    cancel();
  }

  private async write(): Promise<void> {
    try {
      this.snapshot ??= this.takeSnapshot();
      if (!this.snapshot) return;
      const { at, minutes } = this.snapshot;
      const facts: readonly TrafficEvent[] = [{ type: 'AgentTrafficObserved', data: { minutes } }];
      await this.aggregates.handle(trafficLog, { at, start: this.start }, { facts }, CONTEXT);
      this.snapshot = null;
    } catch (error) {
      this.recording.onError(error);
    }
  }

  private takeSnapshot(): Snapshot | null {
    const minutes = this.recording.take();
    return minutes && { at: this.recording.clock.now(), minutes };
  }

  private async wait(): Promise<void> {
    const { signal } = this.stopped;
    await this.recording.clock.sleep(RETRY_AFTER, signal);
    signal.throwIfAborted();
  }
}
