/** Notices that what was asked for does not come. Costs nothing per answer. */
export class Watch {
  private askedAt: number | null = null;
  private readonly timer: NodeJS.Timeout;

  /** Calls `onSilence` whenever an answer has been missing for `limit` ms, and again after as long. */
  constructor(limit: number, onSilence: () => void) {
    this.timer = setInterval(() => {
      if (this.askedAt === null || performance.now() - this.askedAt < limit) return;
      this.askedAt = performance.now();
      onSilence();
    }, limit / 4);
  }

  asked(): void {
    this.askedAt = performance.now();
  }

  answered(): void {
    this.askedAt = null;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
