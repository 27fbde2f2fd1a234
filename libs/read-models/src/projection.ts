import type { Index } from '#documents';
import type { Position, StoredEvent } from '#event-store';
import { type AnyEvent, categoryOf, type EventReader, idOf, UnreadableEvent } from '#events';
import { type Actor, type Instant, type Party, partyIn } from '#kernel';

/** An event as a projection sees it: typed, with its place in the log. */
export type RecordedEvent<Event extends AnyEvent = AnyEvent> = Event & {
  readonly stream: string;
  /** The id that the stream's name carries. */
  readonly id: string;
  readonly revision: number;
  readonly position: Position;
  readonly occurredAt: Instant;
  readonly actor: Actor;
  /** Its owner; absent: nobody, or an event of before that somebody else wrote. */
  readonly party?: Party | undefined;
};

type EventIn<Readers extends readonly EventReader<AnyEvent>[]> = Readers extends readonly EventReader<
  infer Event extends AnyEvent
>[]
  ? Event
  : never;

/** A read model as pure functions of events, safe to apply twice: a document takes only events past its position. */
export interface Projection<
  Body extends object,
  From extends readonly EventReader<AnyEvent>[] = readonly EventReader<AnyEvent>[],
> {
  /** Kebab-case; part of the collection's name. */
  readonly name: string;
  /** Raised when the documents' form changes; old and new code never write one document (docs/consistency.md, rule 24). */
  readonly version: number;
  /** The types of the streams it folds: it is given their events and no others. */
  readonly from: From;
  readonly indexes: readonly Index[];
  documentsOf(event: RecordedEvent<EventIn<From>>): readonly string[];
  /** A document (null: not there) after an event; null deletes it. A method, so that any projection is a `Projection<object>`. */
  evolve(document: Body | null, event: RecordedEvent<EventIn<From>>, id: string): Body | null;
}

type Reading<Event extends AnyEvent> = { readonly from: readonly EventReader<Event>[] };

/** A stored event as a projection sees it. @throws UnreadableEvent */
export const recorded = <Event extends AnyEvent>({ from }: Reading<Event>, stored: StoredEvent): RecordedEvent<Event> =>
  recordedBy(readerOf(from, stored), stored);

const readerOf = <Event extends AnyEvent>(from: readonly EventReader<Event>[], { stream }: StoredEvent) => {
  const category = categoryOf(stream);
  const reader = from.find((one) => one.category === category);
  if (!reader) throw new UnreadableEvent(`no projection of this kind reads ${stream}`);
  return reader;
};

const recordedBy = <Event extends AnyEvent>(reader: EventReader<Event>, stored: StoredEvent): RecordedEvent<Event> => {
  const { stream, revision, position, metadata } = stored;
  const { type, data } = reader.decode(stored); // first: what another program wrote may have no envelope of ours
  const { occurredAt, actor, party = partyIn(actor) } = metadata;
  // Written out: a spread, and members added to it, cost more than decoding. Hence the cast.
  return { type, data, stream, id: idOf(stream), revision, position, occurredAt, actor, party } as RecordedEvent<Event>;
};
