export * from './signer.js';
