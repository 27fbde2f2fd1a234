import type { Decider, Party } from '#kernel';
import type { EventOf, EventSchemas } from './schema.js';

/** JSON of an event's data as it is stored. */
export type EventData = Readonly<Record<string, unknown>>;

/** An event as a store keeps it: JSON of which nothing is known until its stream type has read it. */
export interface EncodedEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: EventData;
  /** `schemaVersion`: the version of the event type in which `data` is written; the first is 1. */
  readonly metadata: { readonly schemaVersion: number };
}

/** Turns the stored data of one version of an event type into that of the next. */
export type Upcaster = (data: EventData) => EventData;

/** A stored event that this version of the program cannot read: damaged, or written by a newer one. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/** An event that a decider made does not fit its schema: a defect of the program. Nothing was written. */
export class UnwritableEvent extends Error {
  override readonly name = 'UnwritableEvent';
}

export interface EventReader<Event> {
  /** The part of a stream's name before the first hyphen, as EventStoreDB's own projections cut it. */
  readonly category: string;
  readonly schemas: EventSchemas;
  /** Stored JSON → typed event, upcast and checked by its schema: the one place that trusts a cast. @throws UnreadableEvent */
  decode(stored: EncodedEvent): Event;
}

/** Everything that defines one kind of stream: its name, its events and the decider that folds and writes them. */
export interface StreamType<Id, State, Command, Event> extends EventReader<Event> {
  readonly decider: Decider<State, Command, Event>;
  /** The name of a stream: `<category>-<id>`. */
  streamOf(id: Id): string;
  /** The event as it may be written: checked by its schema, with nothing that this does not name. @throws UnwritableEvent */
  check(event: Event): Event;
  /** The version in which events of a type are written now; the first is 1. */
  versionOf(type: string): number;
  /** The traveller and the agent of a stream's events, as its state says; null: it belongs to no such two. */
  partyOf(stream: string, state: State): Party | null;
  /** Of states that are written down as JSON (rule 15). Raise it when the state or how it is folded changes. null: none are written. */
  readonly snapshotVersion: number | null;
}

export interface AnyEvent {
  readonly type: string;
  readonly data: object;
}

/** Defines a kind of stream. A form that an optional member cannot express gets an upcaster from version to version, and a test. */
export const streamType = <Id, State, Command, Schemas extends EventSchemas>({
  category,
  id: nameOf,
  events: schemas,
  upcasters,
  decider,
  party,
  snapshotVersion,
}: {
  readonly category: string;
  /** The part of a stream's name after the category. */
  readonly id: (id: Id) => string;
  readonly events: Schemas;
  readonly upcasters?: Readonly<Partial<Record<keyof Schemas, readonly Upcaster[]>>>;
  readonly decider: Decider<State, Command, EventOf<Schemas>>;
  /** The owner of a stream, by its state and the part of its name after the category. */
  readonly party?: (state: State, id: string) => Party | null;
  readonly snapshotVersion?: number;
}): StreamType<Id, State, Command, EventOf<Schemas>> => {
  const schemaOf = (type: string) => (Object.hasOwn(schemas, type) ? schemas[type] : undefined);
  const upcastersOf = (type: string): readonly Upcaster[] => upcasters?.[type] ?? [];
  return {
    category,
    schemas,
    decider,
    snapshotVersion: snapshotVersion ?? null,
    streamOf: (id) => `${category}-${nameOf(id)}`,

    versionOf: (type) => upcastersOf(type).length + 1,

    partyOf: (stream, state) => party?.(state, idOf(stream)) ?? null,

    check: ({ type, data }) => {
      const parsed = schemaOf(type)?.safeParse(data);
      if (!parsed?.success) {
        throw new UnwritableEvent(`${type} does not fit the streams of ${category}`, { cause: parsed?.error });
      }
      return { type, data: parsed.data } as EventOf<Schemas>;
    },

    decode: ({ stream, type, data, metadata: { schemaVersion } }) => {
      const schema = schemaOf(type);
      if (!schema) throw new UnreadableEvent(`no event type ${type} in ${stream}`);
      if (!Number.isInteger(schemaVersion))
        throw new UnreadableEvent(`${type} in ${stream} was written by another program`);
      const lifts = upcastersOf(type);
      // Read as the version known, it would lose what the newer one says.
      if (schemaVersion > lifts.length + 1) {
        throw new UnreadableEvent(`${type} in ${stream} has version ${schemaVersion}, newer than this program reads`);
      }
      const parsed = schema.safeParse(lifts.slice(schemaVersion - 1).reduce((form, lift) => lift(form), data));
      if (!parsed.success) throw new UnreadableEvent(`${type} in ${stream} is damaged`, { cause: parsed.error });
      return { type, data: parsed.data } as EventOf<Schemas>;
    },
  };
};

export const categoryOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? stream : stream.slice(0, end);
};

/** The id that a stream's name carries: everything after the category. */
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
