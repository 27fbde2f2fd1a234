import { type Decider, fold } from '#kernel';

/** The state of a stream of which the events before `at` were folded, written down as a snapshot and read again. */
export const foldedThroughSnapshot = <State, Event>(
  { decider }: { decider: Decider<State, never, Event> },
  history: readonly Event[],
  at: number,
): State => {
  const stored = JSON.parse(JSON.stringify(fold(decider, history.slice(0, at)))) as State;
  return history.slice(at).reduce(decider.evolve, stored);
};
