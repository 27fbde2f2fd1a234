export * from './documents.port.js';
export { EmbeddedDocuments, type EmbeddedDocumentsOptions } from './documents.embedded.js';
export type * from './query.js';
export * from './read-model-store.port.js';
export { Leases, LEASES } from './leases.js';
export { SealBroken, seal, sealedSecret, unseal } from './seal.js';
export { SECRETS, storedSecret } from './stored-secret.js';
