export { eventStoreContract } from '../event-store.contract.js';
export { hostOf, through } from './event-store-server.js';
export { UnreliableStore } from './unreliable-store.js';
export { sample } from './sample-events.js';
