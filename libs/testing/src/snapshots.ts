import type { SnapshotForm } from '#events';
import { type Decider, fold } from '#kernel';

/** The state of a stream of which the events before `at` were folded, written down as a snapshot and read again. */
export const foldedThroughSnapshot = <State, Event>(
  { decider, snapshot }: { decider: Decider<State, never, Event>; snapshot: SnapshotForm<State> | null },
  history: readonly Event[],
  at: number,
): State => {
  if (!snapshot) throw new Error('streams of this kind have no snapshots');
  const stored = JSON.stringify(snapshot.toJson(fold(decider, history.slice(0, at))));
  return history.slice(at).reduce(decider.evolve, snapshot.fromJson(JSON.parse(stored)));
};
