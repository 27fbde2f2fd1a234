export { nodeCrypto } from './node-crypto.js';
