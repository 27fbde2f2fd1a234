export { Aggregates, type Handled } from './aggregates.js';
export type { Folded } from './folded-streams.js';
export { UnusableUrl } from './connection.eventstoredb.js';
export { EmbeddedEventStore, type EmbeddedEventStoreOptions } from './event-store.embedded.js';
export * from './event-store.errors.js';
export { EventStoreDb, type EventStoreDbOptions } from './event-store.eventstoredb.js';
export * from './event-store.port.js';
export { CHAIN_START, expectedHash } from './encode.js';
export * from './position.js';
