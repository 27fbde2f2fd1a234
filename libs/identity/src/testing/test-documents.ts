import { Aggregates } from '#event-store';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';

/** A document store in memory, which keeps the contract of the real ones, and the clock it goes by. */
export const openTestDocuments = () => {
  const clock = new FixedClock();
  return { documents: new MemoryDocuments(clock), clock };
};

export const openTestStores = () => {
  const { documents, clock } = openTestDocuments();
  const eventStore = new MemoryEventStore();
  return { documents, clock, eventStore, aggregates: new Aggregates(eventStore, clock, new RandomIds()) };
};
