import { BEGINNING, type Position } from '#event-store';
import type { Clock } from '#kernel';
import type { StoredCheckpoint } from './checkpoints.js';

interface Waiter {
  readonly position: Position;
  readonly answer: (reached: boolean) => void;
}

/** How far a read model stands, and who waits for it to get further. */
export class Progress {
  private reached: StoredCheckpoint | null = null;
  private hasEnded = false;
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly clock: Clock) {}

  /** Everything up to and including it is in the documents; null: nothing is known to be. */
  get checkpoint(): StoredCheckpoint | null {
    return this.reached;
  }

  get position(): Position {
    return this.reached?.position ?? BEGINNING;
  }

  /** Whether anybody waits. */
  get isAwaited(): boolean {
    return this.waiters.size > 0;
  }

  /** The documents now hold everything up to a checkpoint; an earlier one changes nothing. */
  reach(checkpoint: StoredCheckpoint): void {
    const { position } = checkpoint;
    if (position <= this.position) return;
    this.reached = checkpoint;
    for (const waiter of this.waiters) if (waiter.position <= position) waiter.answer(true);
  }

  /** It gets no further. */
  end(): void {
    this.hasEnded = true;
    for (const waiter of this.waiters) waiter.answer(false);
  }

  /** Answers true once `position` is reached; false after `timeout` milliseconds (null: never) or at the end. */
  waitFor(position: Position, timeout: number | null): Promise<boolean> {
    if (position <= this.position || this.hasEnded) return Promise.resolve(position <= this.position);
    return new Promise((resolve) => {
      const cancel = timeout === null ? undefined : this.clock.after(timeout, () => waiter.answer(false));
      const waiter: Waiter = {
        position,
        answer: (reached) => {
          cancel?.();
          this.waiters.delete(waiter);
          resolve(reached);
        },
      };
      this.waiters.add(waiter);
    });
  }
}
