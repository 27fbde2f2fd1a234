import type { AnyEvent, StreamType } from '#events';
import { type Clock, type Context, type Ids, type Instant, latest } from '#kernel';
import { encodeEvents, type Position } from './stored-event.js';
import { AppendOutcomeUnknown, StoreUnavailable } from './event-store.errors.js';
import type { EventToAppend } from './event-store.port.js';

/** A stream folded up to `revision`, with hash and time of the event there. */
export interface Folded<State> {
  readonly state: State;
  readonly revision: number;
  readonly hash: string;
  readonly occurredAt: Instant;
}

/** What came of a command: the events it led to (none: "already so") and the state after them. */
export interface Handled<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
  readonly revision: number;
  /** A position at which these events are in the log, or a little later; null: none was appended, or the store does not know. */
  readonly position: Position | null;
}

/** A command with its caller, who is answered once, and how long (monotonic ms) it is tried. */
export interface PendingCommand<State, Command, Event> {
  readonly command: Command;
  readonly context: Context;
  readonly deadline: number;
  readonly resolve: (handled: Handled<State, Event>) => void;
  readonly reject: (error: unknown) => void;
}

/** What a decider made of one command (no events: "already so"). A refusal counts once the stream vouches for it. */
export type Decided<State, Event> =
  { readonly events: readonly Event[]; readonly state: State; readonly revision: number } | { readonly error: unknown };

/** Commands of one stream that were decided together, and what has to be appended before they are answered. */
export interface CommandBatch<State, Event> {
  /** One answer for each command decided, in their order. There are fewer than commands where an append would be too large. */
  readonly decided: readonly Decided<State, Event>[];
  readonly events: readonly EventToAppend[];
  readonly folded: Folded<State>;
}

/** What one append may carry, far below what EventStoreDB takes (1 MiB of UTF-8). A command that needs more goes alone. */
const LARGEST = { events: 256, bytes: 512 * 1024 };

/** Decides commands each on the state that those before it led to; the events of all go into one append. */
export const decideTogether = <State, Command, Event extends AnyEvent>(
  type: StreamType<never, State, Command, Event>,
  stream: string,
  start: Folded<State>,
  commands: readonly PendingCommand<State, Command, Event>[],
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): CommandBatch<State, Event> => {
  let folded = start;
  let bytes = 0;
  const decided: Decided<State, Event>[] = [];
  const batch: EventToAppend[] = [];
  for (const { command, context } of commands) {
    const now = latest(clock.now(), folded.occurredAt);
    try {
      const events = type.decider.decide({ ...command, now }, folded.state).map((event) => type.check(event));
      if (events.length > 0) {
        const state = events.reduce(type.decider.evolve, folded.state);
        const party = type.partyOf(stream, state);
        const encoded = encodeEvents(type, stream, folded, events, { now, context, party, ids });
        for (const { data, metadata } of encoded.events) bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
        const isTooLarge = batch.length + events.length > LARGEST.events || bytes > LARGEST.bytes;
        if (isTooLarge && batch.length > 0) break;
        batch.push(...encoded.events);
        folded = { state, revision: folded.revision + events.length, hash: encoded.hash, occurredAt: now };
      }
      decided.push({ events, state: folded.state, revision: folded.revision });
    } catch (error) {
      decided.push({ error });
    }
  }
  return { decided, events: batch, folded };
};

export const answerAll = <State, Event>(
  { decided }: CommandBatch<State, Event>,
  commands: readonly PendingCommand<State, unknown, Event>[],
  position: Position | null,
): void => {
  for (const [place, one] of decided.entries()) {
    if ('error' in one) {
      commands[place]?.reject(one.error);
      continue;
    }
    const { events, state, revision } = one;
    commands[place]?.resolve({ events, state, revision, position: events.length > 0 ? position : null });
  }
};

/** Rejects the commands of a failed append whose patience ended before `now`; returns whether none is left. */
export const giveUp = <State, Event>(
  { decided }: CommandBatch<State, Event>,
  commands: readonly PendingCommand<State, unknown, Event>[],
  error: unknown,
  now: number,
): boolean => {
  const ended = [...decided.entries()].filter(([place]) => (commands[place]?.deadline ?? 0) <= now);
  for (const [place, one] of ended) {
    const wroteNothing = 'error' in one || one.events.length === 0;
    const isUnknown = error instanceof AppendOutcomeUnknown;
    commands[place]?.reject(wroteNothing && isUnknown ? new StoreUnavailable(error.message, { cause: error }) : error);
  }
  return ended.length === decided.length;
};
