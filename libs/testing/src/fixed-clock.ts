import { Clock, type Instant, plus } from '#kernel';

/** A clock that shows what a test sets. */
export class FixedClock extends Clock {
  constructor(private instant: Instant = '2026-01-15T12:00:00.000Z') {
    super();
  }

  now(): Instant {
    return this.instant;
  }

  /** Moves the time forwards by milliseconds. */
  advance(milliseconds: number): void {
    this.instant = plus(this.instant, milliseconds);
  }
}
