import { Aggregates, type EventStore } from '#event-store';
import { type MinuteOfTraffic, type TrafficEvent, trafficLog } from '#events';
import { type Cancel, type Clock, type Ids, type Instant, millisecondsOf, STOP_BUDGET, systemContext } from '#kernel';

/** How often (ms) counts are written. */
const FLUSH_INTERVAL = 1_000;
/** A process writes 256 bytes a second of traffic after 128 KiB at once; beyond that, a minute's counts when it is over. */
const [BYTES_PER_SECOND, BURST, MINUTE] = [256, 131_072, 60_000];
/** About what the log stores of an event besides its data, in bytes. */
const ENVELOPE = 500;
/** How long (ms) to wait between two tries of one append. */
const RETRY_AFTER = 100;

const CONTEXT = systemContext('agent-traffic');

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

/** Writes the counts once a second (docs/consistency.md, rule 26), the same bytes until the log confirms them. */
export class TrafficRecorder {
  private readonly aggregates: Aggregates;
  private readonly start: string;
  private snapshot: Snapshot | null = null;
  private writing: Promise<void> | null = null;
  private timer: Cancel | null = null;
  /** Until when (ms, monotonic) the rate covers what was written. */
  private coveredUntil = -Infinity;
  private readonly stopped = new AbortController();

  constructor(private readonly recording: Recording) {
    const { events, clock, ids } = recording;
    this.start = ids.next();
    // Retries without limit: giving up on an append that did succeed would count it twice.
    this.aggregates = new Aggregates(events, clock, ids, { cached: 2, patience: Infinity, wait: () => this.wait() });
  }

  /** Starts writing once a second, or less often where there is much to write. */
  begin(): void {
    const { clock } = this.recording;
    this.timer ??= clock.every(FLUSH_INTERVAL, () => {
      if (clock.monotonic() >= this.coveredUntil) void this.flush();
    });
  }

  /** Writes the counts unless a snapshot is being written; resolves once that one is answered or has failed. */
  flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = null));
    return this.writing;
  }

  /** Writes the remaining counts and ends. It gives up after a second, since the log may be gone. */
  async stop(): Promise<void> {
    this.timer?.();
    const giveUp = () => this.stopped.abort(new Unanswered('the log does not answer'));
    const cancel = this.recording.clock.after(STOP_BUDGET.traffic, giveUp);
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
      this.account(JSON.stringify(minutes).length + ENVELOPE);
    } catch (error) {
      this.recording.onError(error);
    }
  }

  /** Counts bytes against the rate, of which what is not used is kept as long as the burst lasts. */
  private account(bytes: number): void {
    const { clock } = this.recording;
    const now = clock.monotonic();
    const since = Math.max(this.coveredUntil, now - (BURST / BYTES_PER_SECOND) * 1_000);
    const endOfMinute = now + MINUTE - (millisecondsOf(clock.now()) % MINUTE);
    this.coveredUntil = Math.min(since + (bytes / BYTES_PER_SECOND) * 1_000, endOfMinute);
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
