export type { CommitListener, Database, Operations, Program, Work, WritableFile } from './program.embedded.js';
export { reader, remedyFor, rewriteFile } from './open-file.embedded.js';
export { OperationFailed, OutcomeUnknown, StorageRefused, UnusableFile } from './sqlite.errors.js';
export { SqliteFile, type SqliteFileOptions } from './sqlite-file.embedded.js';
