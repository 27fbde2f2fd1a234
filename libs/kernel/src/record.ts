import type { Decider } from './decider.js';

/** What is to be written down. */
export interface Recording<Event> {
  readonly facts: readonly Event[];
}

/** The decider of streams that decide nothing: what happened is written down as it is, and nothing is ever refused. */
export const recorder = <Event>(): Decider<null, Recording<Event>, Event> => ({
  initialState: () => null,
  decide: ({ facts }) => facts,
  evolve: () => null,
});
