import { isUtf8 } from 'node:buffer';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import { fileTrouble } from '#kernel';
import type { Database, Durability, Operations, Program } from './program.embedded.js';
import { DamagedFile, UnusableFile } from './sqlite.errors.js';
import { checkWal } from './wal.embedded.js';

/** How long (ms) to wait for another program that writes to the file. */
const BUSY_TIMEOUT = 1_000;

/** Opens a file for its one writer, and migrates it. `large` (bytes): not read whole if closed well. @throws UnusableFile */
export const openFile = (
  file: string,
  program: Program<Operations>,
  durability: Durability,
  large = LARGE,
): Database => {
  try {
    const isTrusted = sizeOf(file) >= large && endedWell(file);
    if (durability === 'full') checkWal(`${file}-wal`);
    const db = new Libsql(file, { timeout: BUSY_TIMEOUT });
    if (!isTrusted) checkSound(db);
    checkKind(db, program); // before anything is changed: it may belong to another program
    if (program.shrinks) db.pragma('auto_vacuum = INCREMENTAL'); // of effect before the first page alone
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${durability}`);
    db.pragma('wal_autocheckpoint = 1000');
    migrate(db, program);
    return db;
  } catch (error) {
    throw unusable(file, program, durability, error);
  }
};

/** Says why a file cannot be used, and where it is damaged what to do. */
export const unusable = (
  file: string,
  { name }: Program<Operations>,
  durability: Durability,
  error: unknown,
): UnusableFile => {
  const advice = isDamage(error) ? `. ${remedyFor(durability)}` : '';
  return new UnusableFile(`${file} cannot be used as ${name}: ${reasonOf(error)}${advice}`, { cause: error });
};

/** What an operator does about a damaged file. One whose writes need not survive a power cut can be built again. */
export const remedyFor = (durability: Durability): string =>
  durability === 'full'
    ? 'Restore events.db and documents.db together from a backup (docs/operations.md, Damaged data)'
    : 'Delete it with its -wal and -shm: the next start builds it anew from the log (docs/operations.md, Damaged data)';

/** How SQLite says that it does not understand what it reads. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|ERROR)/;

const isDamage = (error: unknown): boolean =>
  error instanceof DamagedFile || (error instanceof Libsql.SqliteError && DAMAGE.test(error.code));

/** Locks a file by one beside it, so that others may still read. Narrows permissions. @throws UnusableFile */
export const lockFile = (file: string): Database => {
  try {
    makeFolder(dirname(resolve(file)));
    accessSync(dirname(file), constants.R_OK | constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    keepPrivate(file);
    const lock = new Libsql(`${file}.lock`);
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    const advice = fileTrouble(error) === null ? '' : '. Is DATA_DIR right?';
    throw new UnusableFile(`${file} cannot be opened for writing: ${reasonOf(error)}${advice}`, { cause: error });
  }
};

/** The names of a database file, of what SQLite and the lock put beside it, and of the folder that a killed server leaves. */
const DATABASE = /\.db(?:-wal|-shm|-journal|\.lock)?$|^operator$/;
const OTHERS = 0o077;

/** Keeps a file, and a folder with nothing else in it, for its owner alone; SQLite gives the same to what lies beside it. */
const keepPrivate = (file: string): void => {
  for (const path of [file, `${file}.lock`]) closeSync(openSync(path, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}.lock`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if (mode & OTHERS) chmodSync(path, 0o600);
  }
  const folder = dirname(file);
  const { mode, uid } = statSync(folder);
  const isOurs = uid === process.geteuid?.() && readdirSync(folder).every((name) => DATABASE.test(name));
  if (isOurs && mode & OTHERS) chmodSync(folder, 0o700);
};

/** Opens a file to read, beside its writer. @throws UnusableFile: missing, or an older schema */
export const openToRead = (file: string, program: Program<Operations>): Database => {
  try {
    accessSync(file, constants.R_OK);
    const db = reader(file);
    checkKind(db, program);
    const version = versionOf(db);
    const isOlder = version < program.migrations.length;
    if (isOlder) throw new Error(`it has the older version ${version}; a start of the service renews it`);
    return db;
  } catch (error) {
    throw new UnusableFile(`${file} cannot be read as ${program.name}: ${reasonOf(error)}`, { cause: error });
  }
};

/** Rewrites a file that nobody has open, so that nothing deleted stays in it; takes its size once more. @throws UnusableFile */
export const rewriteFile = (file: string, program: Program<Operations>): void => {
  const lock = lockFile(file);
  try {
    const db = openFile(file, program, 'full');
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
  } finally {
    lock.exec('ROLLBACK'); // the driver may keep the connection behind a closed handle
    lock.close();
  }
};

/** A read-only connection to a file that exists. */
export const reader = (file: string): Database =>
  new Libsql(`${pathToFileURL(file).href}?mode=ro`, { timeout: BUSY_TIMEOUT });

/** Creates a folder for its owner alone. Below folders that take none, such as /proc, Node's `recursive` never ends. */
export const makeFolder = (folder: string): void => {
  const missing: string[] = [];
  for (let one = folder; !existsSync(one) && one !== dirname(one); one = dirname(one)) missing.unshift(one);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      if (!existsSync(one)) throw error; // else another process was faster
    }
  }
};

/** 64 MB, which take some 40 ms to read. */
const LARGE = 64 * 1024 * 1024;

/** Whether who wrote to the file last has emptied the write-ahead log into it, as it does when it closes the file. */
const endedWell = (file: string): boolean => sizeOf(`${file}-wal`) === 0;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Reads every page, and compares indexes with tables: 1.2 s a GB. Texts as bytes: bad UTF-8 would end the process. */
const checkSound = (db: Database): void => {
  const [found] = bytesOf(db, 'SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(1)');
  if (String(found) !== 'ok') throw new DamagedFile(`it is damaged (${String(found)})`);
  const schema = bytesOf(db, "SELECT CAST(name || tbl_name || coalesce(sql, '') AS BLOB) FROM sqlite_schema");
  if (!schema.every((text) => isUtf8(text))) throw new DamagedFile('its schema is damaged');
};

/** A column of bytes: as rows alone the driver returns them as buffers. */
const bytesOf = (db: Database, sql: string): readonly Buffer[] => (db.prepare(sql).raw().all() as Buffer[][]).flat();

const checkKind = (db: Database, { applicationId, migrations }: Program<Operations>): void => {
  const found = numberOf(db, 'SELECT application_id FROM pragma_application_id');
  const isNew = found === 0 && numberOf(db, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (found !== applicationId && !isNew) throw new Error('it holds something else. Is DATA_DIR right?');
  const version = versionOf(db);
  if (version > migrations.length) {
    throw new Error(`it has version ${version}, written by a newer program; this one knows up to ${migrations.length}`);
  }
};

const migrate = (db: Database, { applicationId, migrations }: Program<Operations>): void => {
  const missing = migrations.slice(versionOf(db));
  if (missing.length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  for (const migration of missing) db.exec(migration);
  db.pragma(`application_id = ${applicationId}`);
  db.pragma(`user_version = ${migrations.length}`);
  db.exec('COMMIT');
};

const versionOf = (db: Database): number => numberOf(db, 'SELECT user_version FROM pragma_user_version');

const numberOf = (db: Database, sql: string): number => Number(db.prepare(sql).pluck().all()[0]);

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isHeld = error instanceof Libsql.SqliteError && error.code === 'SQLITE_BUSY';
  return isHeld ? 'another process holds it' : (fileTrouble(error) ?? error.message);
};
