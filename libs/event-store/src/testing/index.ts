export { eventStoreContract } from '../event-store.contract.js';
