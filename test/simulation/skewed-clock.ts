import { Clock, type Instant, plus } from '#kernel';

/** A clock that is wrong by some milliseconds. */
export class SkewedClock extends Clock {
  constructor(
    private readonly clock: Clock,
    private readonly skew: number,
  ) {
    super();
  }

  now(): Instant {
    return plus(this.clock.now(), this.skew);
  }
}
