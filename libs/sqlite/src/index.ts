export type { CommitListener, Database, Program, Work, WritableFile } from './program.embedded.js';
export { markIn, setMark } from './mark.embedded.js';
export { lockFile, makeFolder, reader, remedyFor, rewriteFile } from './open-file.embedded.js';
export { copySeen, onDisk, openCut } from './cut.embedded.js';
export { OperationFailed, OutcomeUnknown, StorageRefused, UnusableFile } from './sqlite.errors.js';
export { SqliteFile, type SqliteFileOptions } from './sqlite-file.embedded.js';
