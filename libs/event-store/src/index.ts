export { Aggregates, type Folded, type Handled } from './aggregates.js';
export { EmbeddedEventStore, type EmbeddedEventStoreOptions } from './event-store.embedded.js';
export * from './event-store.errors.js';
export * from './event-store.port.js';
export { CHAIN_START, chainedHash } from './hash-chain.js';
export * from './position.js';
