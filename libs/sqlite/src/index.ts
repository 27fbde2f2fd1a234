export type { Database, Operations, Program } from './program.embedded.js';
export * from './sqlite.errors.js';
export { SqliteFile, type SqliteFileOptions } from './sqlite-file.embedded.js';
