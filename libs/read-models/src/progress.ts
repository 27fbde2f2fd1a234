import { BEGINNING, type Position } from '#event-store';

interface Waiter {
  readonly position: Position;
  readonly answer: (reached: boolean) => void;
}

/** How far a projection stands, and who waits for it to get further. */
export class Progress {
  private standing = BEGINNING;
  private hasEnded = false;
  private readonly waiters = new Set<Waiter>();

  /** Everything up to and including this position is in the documents. */
  get position(): Position {
    return this.standing;
  }

  /** The documents now hold everything up to `position`; an earlier one changes nothing. */
  reach(position: Position): void {
    if (position <= this.standing) return;
    this.standing = position;
    for (const waiter of this.waiters) if (waiter.position <= position) waiter.answer(true);
  }

  /** The projection gets no further. */
  end(): void {
    this.hasEnded = true;
    for (const waiter of this.waiters) waiter.answer(false);
  }

  /** Answers true once `position` is reached; false after `timeout` milliseconds (null: never) or at the end. */
  waitFor(position: Position, timeout: number | null): Promise<boolean> {
    if (position <= this.standing || this.hasEnded) return Promise.resolve(position <= this.standing);
    return new Promise((resolve) => {
      const timer = timeout === null ? undefined : setTimeout(() => waiter.answer(false), timeout);
      const waiter: Waiter = {
        position,
        answer: (reached) => {
          clearTimeout(timer);
          this.waiters.delete(waiter);
          resolve(reached);
        },
      };
      this.waiters.add(waiter);
    });
  }
}
