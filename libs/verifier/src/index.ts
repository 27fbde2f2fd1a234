export type * from './audited-event.js';
export type * from './crypto.js';
