export * from './signing-platform.js';
