import { RandomIds, SystemClock } from '#kernel';
import type { Ports } from '#runtime';
import { giveSigningKey } from '../../libs/oauth/src/testing/index.js';
import { MemoryDocuments } from './memory-documents.js';
import { MemoryEventStore } from './memory-event-store.js';

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
