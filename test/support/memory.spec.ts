import { documentsContract } from '../../libs/documents/src/testing/index.js';
import { eventStoreContract } from '../../libs/event-store/src/testing/index.js';
import { MemoryDocuments } from './memory-documents.js';
import { MemoryEventStore } from './memory-event-store.js';

// What simulations stand on keeps what the real stores keep.
eventStoreContract('memory', () => Promise.resolve(new MemoryEventStore()));
documentsContract('memory', (clock) => Promise.resolve(new MemoryDocuments(clock)));
