import { BEGINNING, type Position, shareOf } from '#event-store';
import type { Clock } from '#kernel';
import type { StoredCheckpoint } from './checkpoints.js';

/** A place in the log, and when (ms, monotonic) it was known to be written. */
interface Mark {
  readonly position: Position;
  readonly at: number;
}

interface Waiter {
  readonly position: Position;
  readonly answer: (reached: boolean) => void;
}

/** How far a read model stands, and who waits for it to get further. */
export class Progress {
  private reached: StoredCheckpoint | null = null;
  private goal: Position = BEGINNING;
  private hasEnded = false;
  private readonly waiters = new Set<Waiter>();
  /** Places that are not reached, the oldest first. */
  private marks: Mark[] = [];

  constructor(private readonly clock: Clock) {}

  /** Everything up to and including it is in the documents; null: nothing is known to be. */
  get checkpoint(): StoredCheckpoint | null {
    return this.reached;
  }

  get position(): Position {
    return this.reached?.position ?? BEGINNING;
  }

  /** Whether the documents are whole: they once held all that the log held when they were begun, or found far behind. */
  get isBuilt(): boolean {
    return this.position >= this.goal;
  }

  /** How much of the log up to there, 0 to 1, the documents hold. */
  get builtShare(): number {
    return this.isBuilt ? 1 : shareOf(this.position, this.goal);
  }

  /** The documents are not whole before they hold everything up to `goal`. */
  aimAt(goal: Position): void {
    if (goal > this.goal) this.goal = goal;
  }

  get isAwaited(): boolean {
    return this.waiters.size > 0;
  }

  /** The documents now hold everything up to a checkpoint; an earlier one changes nothing. */
  reach(checkpoint: StoredCheckpoint): void {
    const { position, goal } = checkpoint;
    this.aimAt(goal);
    if (position <= this.position) return;
    this.reached = checkpoint;
    this.marks = this.marks.filter((mark) => mark.position > position);
    for (const waiter of this.waiters) if (waiter.position <= position) waiter.answer(true);
  }

  /** Goes on from how far another collection is, which takes the place of the one before and may be behind it. */
  restart(checkpoint: StoredCheckpoint | null): void {
    [this.reached, this.goal] = [null, BEGINNING];
    if (checkpoint) this.reach(checkpoint);
  }

  /** How long (ms) something has been written that it does not show, as far as is known here; 0: nothing is. */
  get lag(): number {
    const [oldest] = this.marks;
    return oldest ? this.clock.monotonic() - oldest.at : 0;
  }

  /** Notes that the log reaches `position`. Between two notes goes a sixteenth of the lag, so that they stay few. */
  expect(position: Position): void {
    const last = this.marks.at(-1) ?? { position: this.position, at: -Infinity };
    const at = this.clock.monotonic();
    if (position > last.position && at - last.at > this.lag / 16) this.marks.push({ position, at });
  }

  /** It gets no further. */
  end(): void {
    this.hasEnded = true;
    for (const waiter of this.waiters) waiter.answer(false);
  }

  /** Returns true once `position` is reached; false after `timeout` milliseconds (null: never) or at the end. */
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
