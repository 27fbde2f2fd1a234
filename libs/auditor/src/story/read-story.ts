import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventStore, type StoredEvent } from '#event-store';
import { nodeCrypto } from '#transparency';
import { type Breach, chainBreaches } from '#verifier';
import { type Place, Places } from './places.js';

/** An event of a story, and its place in the log of logs. */
export interface ToldEvent {
  readonly event: StoredEvent;
  /** The hash of the event before it; null: it is the first of its stream. */
  readonly previousHash: string | null;
  readonly place: Place;
}

/** All that one stream tells. */
export interface Story {
  /** The last events, oldest first, at most `SHOWN`. */
  readonly told: readonly ToldEvent[];
  readonly count: number;
  /** What breaks its chain. */
  readonly breaches: readonly Breach[];
}

/** What happened in a stream, as it is stored; null: there is no such stream. */
export class ReadStory extends Query<Story | null> {
  constructor(readonly stream: string) {
    super();
  }
}

/** So many events of a stream are shown. Orders have three at most; a booking may be changed any number of times. */
const SHOWN = 100;

@QueryHandler(ReadStory)
export class ReadStoryHandler implements IQueryHandler<ReadStory> {
  constructor(
    private readonly events: EventStore,
    private readonly places: Places,
  ) {}

  async execute({ stream }: ReadStory): Promise<Story | null> {
    const events = await allOf(this.events.readStream(stream));
    if (events.length === 0) return null;
    const shown = events.slice(-SHOWN);
    const places = await this.places.of(shown);
    const first = events.length - shown.length;
    const told = shown.map((event, at) => {
      const previousHash = events[first + at - 1]?.metadata.hash ?? null;
      return { event, previousHash, place: places[at] ?? null };
    });
    return { told, count: events.length, breaches: chainBreaches(nodeCrypto.sha256, events) };
  }
}

/** Everything that a stream holds. */
export const allOf = async (stream: AsyncIterable<StoredEvent>): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
};
