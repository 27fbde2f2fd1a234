export type * from './audited-event.js';
export * from './bundle.js';
export type * from './crypto.js';
