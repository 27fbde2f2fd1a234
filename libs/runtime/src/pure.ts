/** What a command needs before it is known which one it is: constants, and nothing that takes time to load. */
export * from './process-codes.js';
