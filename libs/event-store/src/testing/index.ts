export { eventStoreContract } from '../event-store.contract.js';
export { UnreliableStore } from './unreliable-store.js';
