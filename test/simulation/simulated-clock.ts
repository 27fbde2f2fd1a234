import { type Cancel, Clock, type Instant, instantOf, latest, millisecondsOf } from '#kernel';
import type { Actor, Random, Scheduler } from './scheduler.js';

const START = millisecondsOf('2026-01-15T12:00:00.000Z');

/** The clock of one process in a simulated world: it may be wrong, and jump, and as every clock here it never runs back. */
export class SimulatedClock extends Clock {
  private last: Instant = '';

  /** `wrong`: by how many milliseconds. */
  constructor(
    private readonly scheduler: Scheduler,
    private readonly actor: Actor | null,
    private readonly random: Random,
    private wrong = 0,
  ) {
    super();
  }

  jump(milliseconds: number): void {
    this.wrong += milliseconds;
  }

  now(): Instant {
    return (this.last = latest(instantOf(Math.floor(START + this.scheduler.now + this.wrong)), this.last));
  }

  monotonic(): number {
    return this.scheduler.now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.scheduler.after(milliseconds, this.actor, end);
      signal?.addEventListener('abort', end);
    });
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.sleep(milliseconds * (0.5 + this.random() / 2), signal);
  }

  after(milliseconds: number, callback: () => void): Cancel {
    return this.scheduler.after(milliseconds, this.actor, callback);
  }

  every(milliseconds: number, callback: () => void): Cancel {
    let cancel: Cancel;
    const next = () => {
      cancel = this.scheduler.after(milliseconds, this.actor, next);
      callback();
    };
    cancel = this.scheduler.after(milliseconds, this.actor, next);
    return () => cancel();
  }
}
