export { type Answer, Api } from './api.js';
export * from './authorization.js';
export { Browser } from './browser.js';
export { DEMONSTRATION_CLIENT } from './demonstration-client.js';
export { ProofKey } from './proof-key.js';
export type { Send } from './send.js';
