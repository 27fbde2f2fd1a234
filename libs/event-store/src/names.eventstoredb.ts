import type { EventData } from '#events';
import { type Position as LogPosition, type ReadPosition, START } from '@eventstore/db-client';
import { StoreUnavailable } from './event-store.errors.js';
import type { EventMetadata, StoredEvent } from './event-store.port.js';
import { BEGINNING, type Checkpoint, hasEnvelope, positionOf } from './stored-event.js';

const escaped = (text: string): string => text.replace(/[^\w-]/g, '\\$&');

/** Streams of one run on a server that serves several: `<namespace>.order-…`. Nothing above the port sees it (rule 27). */
export class Namespace {
  private readonly prefix: string;

  /** @param name '' for none */
  constructor(name: string) {
    this.prefix = name === '' ? '' : `${name}.`;
  }

  onServer(stream: string): string {
    return this.prefix + stream;
  }

  /** What the server delivers of streams of these categories; null: of all that are not its own. */
  regex(categories: readonly string[] | null): string {
    return `^${escaped(this.prefix)}${categories ? `(${categories.map(escaped).join('|')})` : '[^$]'}`;
  }

  /** The stream's name above the port; null for the server's own streams and those of others. */
  aboveThePort(nameOnServer: string): string | null {
    const isOurs = nameOnServer.startsWith(this.prefix) && !nameOnServer.startsWith('$');
    return isOurs ? nameOnServer.slice(this.prefix.length) : null;
  }
}

export interface Recorded {
  readonly streamId: string;
  readonly revision: bigint;
  readonly position?: LogPosition;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** The event as it was sent; null for another program's event in a stream with a name like ours. */
export const ourEvent = (namespace: Namespace, recorded: Recorded): StoredEvent | null => {
  const stream = namespace.aboveThePort(recorded.streamId);
  return stream !== null && hasEnvelope(recorded.metadata) ? storedEvent(stream, recorded) : null;
};

/** An event of a stream of ours as it was sent. */
export const storedEvent = (stream: string, recorded: Recorded): StoredEvent => {
  const { revision, position, type, data, metadata } = recorded;
  if (!position) throw new StoreUnavailable('the server tells no positions: EventStoreDB 23.10 or later is needed');
  // What lies in our streams is what `append` wrote; `decode` checks it.
  return {
    stream,
    revision: Number(revision),
    position: positionOf(position.commit),
    type,
    data: data as EventData,
    // Where somebody else wrote into one there may be none, which nobody takes for an envelope.
    metadata: (metadata ?? {}) as EventMetadata,
  };
};

/** The checkpoint that includes what is at a place of the log. */
export const checkpointAt = ({ commit }: LogPosition): Checkpoint => ({ position: positionOf(commit) });

export const BEFORE_ALL: Checkpoint = { position: BEGINNING };

/** What the server takes for a checkpoint: both numbers of a place are the same, since no transaction spans appends. */
export const placeOf = (checkpoint: Checkpoint | null): ReadPosition => {
  const { position } = checkpoint ?? BEFORE_ALL;
  return position === BEGINNING ? START : { commit: BigInt(position), prepare: BigInt(position) };
};
