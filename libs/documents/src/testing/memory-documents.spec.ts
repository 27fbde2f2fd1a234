import { documentsContract } from '../documents.contract.js';
import { MemoryDocuments } from './memory-documents.js';

// What simulations stand on keeps what the real stores keep.
documentsContract('memory', (clock) => Promise.resolve(new MemoryDocuments(clock)));
