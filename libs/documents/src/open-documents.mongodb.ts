import type { MongoDocumentsOptions } from './documents.mongodb.js';
import type { MongoLook } from './look.mongodb.js';
import type { ReadModelStore } from './read-model-store.port.js';

/** Opens the documents of a MongoDB, whose driver is loaded only now. @throws UnusableDatabase for the operator */
export const openMongoDocuments = async (options: MongoDocumentsOptions): Promise<ReadModelStore> => {
  const { MongoDocuments } = await import('./documents.mongodb.js');
  return MongoDocuments.open(options);
};

/** What the login of a URL may do there, and how soon it answers; nothing is written. @throws UnusableDatabase, or the driver's error */
export const lookAtMongoDb = async (
  options: Pick<MongoDocumentsOptions, 'url' | 'database'>,
  patience: number,
): Promise<MongoLook> => {
  const { look } = await import('./look.mongodb.js');
  return look(options, patience);
};
