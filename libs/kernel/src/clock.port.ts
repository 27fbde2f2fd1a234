import { type Instant, instantOf, millisecondsOf } from './instant.js';

/** The time, as a port: tests decide what time it is. */
export abstract class Clock {
  /** The present instant; never earlier than one answered before. */
  abstract now(): Instant;
}

/**
 * The clock of a running process. It never runs back (docs/consistency.md, rule 16): it starts at the later of the system
 * time and `floor`, advances with the monotonic timer, and is corrected forwards only.
 */
export class SystemClock extends Clock {
  private origin = 0;

  /** Raises the clock to `floor`, the time of the log's last event. */
  startAt(floor: Instant): void {
    this.correct(millisecondsOf(floor));
  }

  now(): Instant {
    this.correct(Date.now());
    return instantOf(Math.floor(this.origin + performance.now()));
  }

  private correct(milliseconds: number): void {
    this.origin = Math.max(this.origin, milliseconds - performance.now());
  }
}
