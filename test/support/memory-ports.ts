import { RandomIds, SystemClock } from '#kernel';
import type { Ports } from '#runtime';
import { giveSigningKey } from '../../libs/oauth/src/testing/index.js';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { MemoryEventStore } from '../../libs/event-store/src/testing/index.js';

/** Ports for a service that is about no file: empty stores in memory, with a signing key that other services have as well. */
export const memoryPorts = async (clock = new SystemClock()): Promise<Ports> => {
  const documents = new MemoryDocuments(clock);
  await giveSigningKey(documents, clock);
  return {
    clock,
    ids: new RandomIds(),
    events: new MemoryEventStore(),
    documents,
    readModelStore: new MemoryDocuments(clock),
    projecting: null,
    growing: null,
    checking: null,
  };
};
