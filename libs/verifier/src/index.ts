export type * from './audited-event.js';
export * from './bundle.js';
export type * from './crypto.js';
export * from './tlog/entry.js';
export * from './tlog/merkle.js';
export * from './tlog/tiles.js';
