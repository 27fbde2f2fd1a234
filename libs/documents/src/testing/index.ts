export { countedMongo } from './counted-mongodb.js';
export { proxyTo, through } from './mongodb-proxy.js';
export { ReplicaSet } from './replica-set.js';
export { MemoryDocuments } from './memory-documents.js';
