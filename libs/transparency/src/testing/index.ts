export * from './witness.js';
