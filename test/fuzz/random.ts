import { randomFrom } from '#testing';

/** Choices that a seed decides: the same seed makes the same ones, on every machine. */
export class Random {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** A whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Value>(values: readonly Value[]): Value {
    const at = this.below(values.length);
    if (at >= values.length) throw new Error('nothing to choose from');
    return values[at] as Value;
  }

  /** Other choices, which this number decides. */
  at(state: number): Random {
    return new Random(state);
  }

  word(): string {
    return this.below(2 ** 32).toString(36);
  }
}
