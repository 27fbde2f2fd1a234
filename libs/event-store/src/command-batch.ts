import type { AnyEvent, StreamType } from '#events';
import { type Clock, type Context, type Ids, latest } from '#kernel';
import { encodeEvents } from './encode.js';
import type { EventToAppend } from './event-store.port.js';
import type { Folded } from './folded-streams.js';

/** A command that waits to be decided. */
export interface WaitingCommand<Command> {
  readonly command: Command;
  readonly context: Context;
}

/**
 * What a decider answered to one command of a batch: the events that follow (none: "already so") and the stream after
 * them, or what it threw. A refusal counts once the stream vouches for the state it was decided on; any other error is a
 * defect that concerns this command alone.
 */
export type Decided<State, Event> =
  { readonly events: readonly Event[]; readonly state: State; readonly revision: number } | { readonly error: unknown };

/** Commands of one stream that were decided together, and what has to be appended before they are answered. */
export interface CommandBatch<State, Event> {
  /** One answer for each command decided, in their order. There are fewer than commands where an append would be too large. */
  readonly decided: readonly Decided<State, Event>[];
  /** The events of all of them. */
  readonly events: readonly EventToAppend[];
  /** The stream after these events. */
  readonly folded: Folded<State>;
}

/** What one append may carry, far below what EventStoreDB takes (1 MiB). A command that needs more goes alone. */
const LARGEST = { events: 256, bytes: 512 * 1024 };

/**
 * Decides commands one after the other, each on the state that those before it led to, as if each had been appended on
 * its own; the events of all go into one append, and cost one wait for the disk. Each keeps its own time and context.
 */
export const decideTogether = <State, Command, Event extends AnyEvent>(
  type: StreamType<never, State, Command, Event>,
  stream: string,
  start: Folded<State>,
  commands: readonly WaitingCommand<Command>[],
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
        const encoded = encodeEvents(type, stream, folded, events, { now, context, ids });
        bytes += encoded.events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
        const isTooLarge = batch.length + events.length > LARGEST.events || bytes > LARGEST.bytes;
        if (isTooLarge && batch.length > 0) break;
        const state = events.reduce(type.decider.evolve, folded.state);
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
