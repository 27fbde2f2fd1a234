export * from './keys.js';
export { nodeCrypto } from './node-crypto.js';
