/** A point in time, RFC 3339 in UTC with milliseconds, always 24 characters: instants are ordered as their strings are. */
export type Instant = string;

/** The instant of a number of milliseconds since 1970. */
export const instantOf = (milliseconds: number): Instant => new Date(milliseconds).toISOString();

/** Milliseconds since 1970 of an instant. */
export const millisecondsOf = (instant: Instant): number => Date.parse(instant);

/** `instant` moved by a number of milliseconds (negative: into the past). */
export const plus = (instant: Instant, milliseconds: number): Instant =>
  instantOf(millisecondsOf(instant) + milliseconds);

export const latest = (one: Instant, other: Instant): Instant => (one > other ? one : other);

export const earliest = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/** Whole seconds from `now` until `end`, at least one: how long to wait before another try. */
export const secondsUntil = (end: Instant, now: Instant): number =>
  Math.max(1, Math.ceil((millisecondsOf(end) - millisecondsOf(now)) / 1_000));

/** Cancels a timer; does nothing once it has run. */
export type Cancel = () => void;

/** Time as a port: what time it is, how much has passed, and waiting. Tests decide all three. All durations are in milliseconds. */
export abstract class Clock {
  /** The present instant; never earlier than one answered before. */
  abstract now(): Instant;

  /** A reading of a timer that only runs forwards, for durations and deadlines inside the process. */
  abstract monotonic(): number;

  /** Resolves after `milliseconds`, or as soon as `signal` aborts; look at the signal if that makes a difference. */
  abstract sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;

  /** Sleeps between half of `milliseconds` and all of it, at random, so that those who fail together do not come back together. */
  abstract pause(milliseconds: number, signal?: AbortSignal): Promise<void>;

  abstract after(milliseconds: number, callback: () => void): Cancel;

  /** Calls `callback` every `milliseconds`. Does not keep the process from ending. */
  abstract every(milliseconds: number, callback: () => void): Cancel;
}

/** The clock of a process, which never runs back: from the later of system time and `floor` (docs/consistency.md, rule 16). */
export class SystemClock extends Clock {
  private origin = 0;
  /** The instant that was written last. A millisecond is asked for many times. */
  private last = { milliseconds: 0, instant: instantOf(0) };

  /** Raises the clock to `floor`, the time of the log's last event. */
  startAt(floor: Instant): void {
    this.correct(millisecondsOf(floor));
  }

  /** By how much (ms) it is ahead of the machine's clock: one that showed a wrong time once is not followed back. */
  get ahead(): number {
    return Math.max(0, this.origin + performance.now() - Date.now());
  }

  now(): Instant {
    this.correct(Date.now());
    const milliseconds = Math.floor(this.origin + performance.now());
    if (milliseconds !== this.last.milliseconds) this.last = { milliseconds, instant: instantOf(milliseconds) };
    return this.last.instant;
  }

  monotonic(): number {
    return performance.now();
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end);
    });
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.sleep(milliseconds * (0.5 + Math.random() / 2), signal);
  }

  after(milliseconds: number, callback: () => void): Cancel {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  }

  every(milliseconds: number, callback: () => void): Cancel {
    const timer = setInterval(callback, milliseconds).unref();
    return () => clearInterval(timer);
  }

  private correct(milliseconds: number): void {
    this.origin = Math.max(this.origin, milliseconds - performance.now());
  }
}

/** What `answer` comes to, or what `late` does if it takes longer than `milliseconds`. */
export const within = <Answer, Late>(
  clock: Clock,
  milliseconds: number,
  answer: Promise<Answer>,
  late: () => Late,
): Promise<Answer | Late> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => resolve(Promise.resolve().then(late)));
    void answer.then(resolve, reject).finally(cancel);
  });

/** Lets everything else run that is ready: one turn of the event loop. This is order and not time, so no clock decides it. */
export const nextTurn = (): Promise<undefined> => new Promise((resolve) => setImmediate(() => resolve(undefined)));

/** New ids, as a port. They are minted at the edge and travel in commands, so that a retry names the same thing. */
export abstract class Ids {
  /** A random UUID (RFC 9562, version 4), lower case. */
  abstract next(): string;
}

export class RandomIds extends Ids {
  next(): string {
    return crypto.randomUUID();
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` has the form of an id of ours; everything else is unknown without a look-up. */
export const isId = (text: string): boolean => UUID.test(text);
