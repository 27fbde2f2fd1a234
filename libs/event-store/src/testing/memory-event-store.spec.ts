import { eventStoreContract } from '../event-store.contract.js';
import { MemoryEventStore } from './memory-event-store.js';

// What simulations stand on keeps what the real stores keep.
eventStoreContract('memory', () => Promise.resolve(new MemoryEventStore()));
