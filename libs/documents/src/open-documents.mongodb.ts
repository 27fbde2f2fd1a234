import type { MongoDocumentsOptions } from './documents.mongodb.js';
import type { ReadModelStore } from './read-model-store.port.js';

/** Opens the documents of a MongoDB, whose driver is loaded only now. @throws UnusableDatabase for the operator */
export const openMongoDocuments = async (options: MongoDocumentsOptions): Promise<ReadModelStore> => {
  const { MongoDocuments } = await import('./documents.mongodb.js');
  return MongoDocuments.open(options);
};
