export { countedMongo } from './counted-mongodb.js';
export { proxyTo, through } from './mongodb-proxy.js';
export { MemoryDocuments } from './memory-documents.js';
