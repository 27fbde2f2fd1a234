import { setTimeout as sleep } from 'node:timers/promises';
import { Aggregates, type EventStore } from '#event-store';
import { type MinuteOfTraffic, trafficStream } from '#events';
import { type Clock, type Ids, record, systemContext } from '#kernel';

/** How often (ms) what was counted is written down, and how long the end of a process waits for that. */
const [EVERY, LAST_WAIT] = [1_000, 5_000];
/** How long (ms) is waited between two tries of one append. */
const RETRY_AFTER = 100;

const CONTEXT = systemContext('agent-traffic');

/** What a recorder works with. */
export interface Recording {
  readonly events: EventStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What was counted since it was last asked; null: nothing. */
  readonly take: () => readonly MinuteOfTraffic[] | null;
  readonly onError: (error: unknown) => void;
}

/** A snapshot of what was counted, and the stream it goes to: frozen, whatever is counted meanwhile. */
interface Snapshot {
  readonly stream: string;
  readonly minutes: readonly MinuteOfTraffic[];
}

/** The process ended before the log answered. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/**
 * Writes down what was counted, once a second (docs/consistency.md, rule 26): in a stream of this start's own, one event a
 * snapshot. A snapshot is sent in the same bytes until the log has answered, however long that takes; only then is the
 * next one taken. A crash loses what was not answered yet.
 */
export class TrafficRecorder {
  private readonly aggregates: Aggregates;
  private readonly start: string;
  private snapshot: Snapshot | null = null;
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly givenUp = new AbortController();

  constructor(private readonly recording: Recording) {
    const { events, clock, ids } = recording;
    this.start = ids.next();
    // Nobody waits for it, so it is as patient as it takes: a command that gave up could be written, and then once more.
    this.aggregates = new Aggregates(events, clock, ids, { cached: 2, patience: Infinity, wait: () => this.wait() });
  }

  /** Begins to write, once a second. */
  begin(): void {
    this.timer ??= setInterval(() => void this.flush(), EVERY).unref();
  }

  /** Writes what was counted, unless a snapshot is under way; resolves when it is answered or has failed. */
  flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = null));
    return this.writing;
  }

  /** Writes what is left, and ends. It gives up after five seconds: the log may be gone. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    const last = setTimeout(() => this.givenUp.abort(new Unanswered('the log does not answer')), LAST_WAIT);
    await this.writing; // what was counted while that was under way is in the one after it
    await this.flush();
    clearTimeout(last);
  }

  private async write(): Promise<void> {
    try {
      this.snapshot ??= this.taken();
      if (!this.snapshot) return;
      const { stream, minutes } = this.snapshot;
      const facts = [{ type: 'AgentTrafficObserved', data: { minutes } }];
      await this.aggregates.handle(stream, record, { facts }, CONTEXT);
      this.snapshot = null;
    } catch (error) {
      this.recording.onError(error);
    }
  }

  private taken(): Snapshot | null {
    const minutes = this.recording.take();
    return minutes && { stream: trafficStream(this.recording.clock.now(), this.start), minutes };
  }

  private async wait(): Promise<void> {
    const { signal } = this.givenUp;
    await sleep(RETRY_AFTER, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
