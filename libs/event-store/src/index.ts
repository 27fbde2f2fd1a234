export { Aggregates } from './aggregates.js';
export type { Handled } from './command-batch.js';
export type { Folded } from './folded-streams.js';
export { EmbeddedEventStore, type EmbeddedEventStoreOptions } from './event-store.embedded.js';
export * from './event-store.errors.js';
export { openEventStoreDb } from './open-event-store.eventstoredb.js';
export * from './event-store.port.js';
export { CHAIN_START, expectedHash } from './encode.js';
export * from './position.js';
