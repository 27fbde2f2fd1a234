import type { Instant } from './time-and-ids.port.js';

/** A command as a decider receives it: stamped with a time that never runs back within the stream (rule 16). */
export type Stamped<Command> = Command & { readonly now: Instant };

/** The rules of one kind of stream: pure functions. `decide` returns events, `[]` for “already so”, or throws; `evolve` never throws. */
export interface Decider<State, Command, Event> {
  readonly decide: (command: Stamped<Command>, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
  readonly initialState: () => State;
}

export const fold = <State, Event>(
  decider: Pick<Decider<State, never, Event>, 'evolve' | 'initialState'>,
  events: Iterable<Event>,
): State => {
  let state = decider.initialState();
  for (const event of events) state = decider.evolve(state, event);
  return state;
};

export interface Recording<Event> {
  readonly facts: readonly Event[];
}

/** The decider of streams that decide nothing: what happened is written down as it is, and nothing is ever refused. */
export const recorder = <Event>(): Decider<null, Recording<Event>, Event> => ({
  initialState: () => null,
  decide: ({ facts }) => facts,
  evolve: () => null,
});

// A list, made again by each event: V8 would learn an object with orders as members as a new shape each time.

interface OfOrder {
  readonly orderId: string;
}

/** What a list has for an order, which it has at most once; undefined where it has nothing. */
export const ofOrder = <One extends OfOrder>(list: readonly One[], orderId: string): One | undefined =>
  list.find((one) => one.orderId === orderId);

export const withoutOrder = <One extends OfOrder>(list: readonly One[], orderId: string): readonly One[] =>
  list.filter((one) => one.orderId !== orderId);

/** An order that may take nothing any more, until the `holdBefore` that it would be refused after anyway (rule 6). */
export interface Fence extends OfOrder {
  readonly holdBefore: Instant;
}

export const standing = (fences: readonly Fence[], at: Instant): readonly Fence[] =>
  fences.filter(({ holdBefore }) => holdBefore >= at);
