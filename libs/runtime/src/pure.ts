/** What a command needs before it is known which one it is: constants, and nothing that takes time to load. */
export { EX_USAGE, OWNER_ONLY } from './process-codes.js';
export { VERSION } from './version.js';
