import type { EventStore, StoredEvent } from '#event-store';
import { ManualClock } from '#testing';
import { MemoryDocuments } from '../../../../documents/src/testing/index.js';
import type { Places } from './places.js';
import { Stories } from './stories.js';

/** The story of a stream that has so many events, each with a hash that tells its revision. */
const storyOf = (count: number) => {
  const events = Array.from(
    { length: count },
    (_, revision) =>
      ({ revision, type: 'BookingChanged', data: {}, metadata: { hash: `hash ${revision}` } }) as StoredEvent,
  );
  const store = {
    async *readStream() {
      yield* await Promise.resolve(events);
    },
  } as unknown as EventStore;
  const places = { of: (shown: readonly StoredEvent[]) => Promise.resolve(shown.map(() => null)) } as unknown as Places;
  return new Stories(store, places, new MemoryDocuments(new ManualClock())).of('booking-b');
};

it.each([
  [3, null],
  [100, null],
  [102, 'hash 1'],
])('a story of %i events tells of the first one shown that its hash is chained to %j', async (count, previousHash) => {
  const story = await storyOf(count);
  expect(story?.cards[0]?.previousHash).toBe(previousHash);
  expect(story?.cards[1]?.previousHash).toBe(story?.cards[0]?.event.metadata.hash);
});
