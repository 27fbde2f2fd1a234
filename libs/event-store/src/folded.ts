import type { Decider, Instant } from '#kernel';
import { CHAIN_START } from './encode.js';
import { NO_STREAM } from './event-store.port.js';

/** A stream folded up to `revision`, with hash and time of the event there. */
export interface Folded<State> {
  readonly state: State;
  readonly revision: number;
  readonly hash: string;
  readonly occurredAt: Instant;
}

/** A stream of which no event is folded. */
export const beginningOf = <State>(decider: Pick<Decider<State, never, never>, 'initialState'>): Folded<State> => ({
  state: decider.initialState(),
  revision: NO_STREAM,
  hash: CHAIN_START,
  occurredAt: '',
});

/** The later of two states of a stream. */
export const later = <State>(one?: Folded<State>, other?: Folded<State>): Folded<State> | undefined =>
  one && other ? (one.revision < other.revision ? other : one) : (one ?? other);
