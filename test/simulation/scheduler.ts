import type { Cancel } from '#kernel';

export type Random = () => number;

/** Who takes steps: a process, which may die or stand still for long. */
export class Actor {
  isDead = false;
  /** It takes no step before (ms of the world's time). */
  standsUntil = 0;
  /** At which of its next calls it stands still, and for how long (ms). */
  standsAt: { calls: number; readonly milliseconds: number } | null = null;
}

interface Step {
  due: number;
  /** Among steps that are due at the same moment. */
  readonly order: number;
  /** null: nobody's, such as a message on its way, which no death stops. */
  readonly actor: Actor | null;
  goOn: (() => void) | null;
}

/** After so many idle turns nobody goes on: who folds or batches sits out one or two (`nextTurn`). */
const IDLE_TURNS = 5;
/** No piece of a life has so many steps: somebody who takes more of them goes round in circles. */
const MOST_STEPS = 200_000;

/** The time of a simulated world: one step at a time, the one due first. Nothing here waits for real time. */
export class Scheduler {
  /** What is to come, the next one last. */
  private readonly steps: Step[] = [];
  private taken = 0;
  private count = 0;
  private time = 0;

  /** Milliseconds since the beginning of the world. */
  get now(): number {
    return this.time;
  }

  /** How many steps were taken. */
  get length(): number {
    return this.taken;
  }

  /** Has `goOn` called after so many milliseconds, unless the actor is dead by then. */
  after(milliseconds: number, actor: Actor | null, goOn: () => void): Cancel {
    this.count += 1;
    const step: Step = { due: this.time + Math.max(0, milliseconds), order: this.count, actor, goOn };
    this.insert(step);
    return () => (step.goOn = null);
  }

  /** Resolves after so many milliseconds; never, once the actor is dead. */
  delay(milliseconds: number, actor: Actor | null): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, actor, resolve));
  }

  /** Time passes and nobody does anything in it: whatever is under way is as late. */
  skip(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Takes steps until `isOver`; answers false where that does not come, since nobody goes on or for too many steps. */
  run(isOver: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      let idle = 0;
      const last = this.taken + MOST_STEPS;
      const turn = () => {
        if (isOver()) {
          resolve(true);
          return;
        }
        const goOn = this.next();
        idle = goOn ? 0 : idle + 1;
        goOn?.();
        if (idle > IDLE_TURNS || this.taken > last) resolve(false);
        else setImmediate(turn);
      };
      setImmediate(turn);
    });
  }

  private next(): (() => void) | null {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      const { actor, goOn } = step;
      if (!goOn || actor?.isDead) continue;
      if (actor && actor.standsUntil > Math.max(step.due, this.time)) {
        step.due = actor.standsUntil;
        this.insert(step);
        continue;
      }
      this.time = Math.max(this.time, step.due);
      this.taken += 1;
      return goOn;
    }
    return null;
  }

  private insert(step: Step): void {
    let [low, high] = [0, this.steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.steps[middle];
      const isLater = other && (other.due > step.due || (other.due === step.due && other.order > step.order));
      if (isLater) low = middle + 1;
      else high = middle;
    }
    this.steps.splice(low, 0, step);
  }
}
