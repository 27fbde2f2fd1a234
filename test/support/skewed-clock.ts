import { type Clock, type Instant, plus, SystemClock } from '#kernel';

export class SkewedClock extends SystemClock {
  constructor(
    private readonly clock: Clock,
    private readonly skew: number,
  ) {
    super();
  }

  override now(): Instant {
    return plus(this.clock.now(), this.skew);
  }

  override monotonic(): number {
    return this.clock.monotonic();
  }
}
