import type { Decider } from './decider.js';

/** A fact, as an event tells it. */
export interface Fact {
  readonly type: string;
  readonly data: object;
}

/** What is to be written down. */
export interface Recording {
  readonly facts: readonly Fact[];
}

/**
 * The one decider of the streams that decide nothing (traffic, security, seals; design.md §3): what happened is written
 * down as it is, and nothing is ever refused.
 */
export const record: Decider<null, Recording, Fact> = {
  initialState: () => null,
  decide: ({ facts }) => facts,
  evolve: () => null,
};
