import {
  type Database,
  OperationFailed,
  OutcomeUnknown,
  SqliteFile,
  type SqliteFileOptions,
  StorageRefused,
  type WritableFile,
} from '#sqlite';
import { LRUCache } from 'lru-cache';
import { type Instant, upTo } from '#kernel';
import { type Document, DocumentsUnavailable, DuplicateDocument } from './documents.port.js';
import type { DocumentWrites } from './documents.program.embedded.js';
import type { Bound, Sql } from './sql.js';

/** How many reading statements are kept prepared: a filter has as many texts as it can have conditions. */
const STATEMENTS = 200;

const PROGRAM = new URL('./documents.program.embedded.js', import.meta.url);

type Statement = ReturnType<Database['prepare']>;

/** The file of a document store: SQL in, rows out, and the port's errors instead of SQLite's. */
export class DocumentsFile {
  private readonly statements = new LRUCache<string, Statement>({ max: STATEMENTS });

  private constructor(
    private readonly file: WritableFile<DocumentWrites>,
    private readonly isToRead: boolean,
    /** See `SqliteFile.begin`; null where there is no writing thread beside this one. */
    readonly begin: SqliteFile<DocumentWrites>['begin'] | null = null,
  ) {}

  static async open(options: Omit<SqliteFileOptions, 'program'>): Promise<DocumentsFile> {
    const file = await SqliteFile.open<DocumentWrites>({ ...options, program: PROGRAM });
    return new DocumentsFile(file, false, (...order) => file.begin(...order));
  }

  /** Opens the file for reading alone: what has not been declared in it reads as empty. @throws UnusableFile */
  static async openToRead(file: string): Promise<DocumentsFile> {
    return new DocumentsFile(await SqliteFile.openToRead<DocumentWrites>(file, PROGRAM), true);
  }

  /** A file as who works in its writing thread has it. */
  static over(file: WritableFile<DocumentWrites>): DocumentsFile {
    return new DocumentsFile(file, false);
  }

  /** The rows of a query (see `row`); `Row` is what its columns are declared as. Reads on the calling thread: one look-up, no wait. */
  rows<Row extends readonly Bound[]>(query: Sql): Promise<readonly Row[]> {
    return new Promise((resolve) =>
      resolve(
        ((this.read(query, (statement) => statement.all(query.values)) ?? []) as [Buffer][]).map(parsed) as Row[],
      ),
    );
  }

  /** The only row of a query that has at most one, at once; undefined where there is none. It costs half of `rows`. */
  row(query: Sql): readonly Bound[] | undefined {
    const found = this.read(query, (statement) => statement.get(query.values)) as [Buffer] | undefined;
    return found && parsed(found);
  }

  async define(statements: readonly Sql[]): Promise<void> {
    if (this.isToRead) return;
    await translated(this.file.write('define', statements));
    this.statements.clear();
  }

  /** Runs statements in one transaction; returns the rows each changed. @throws DuplicateDocument, DocumentsUnavailable */
  run(statements: readonly Sql[]): Promise<readonly number[]> {
    return translated(this.file.write('run', statements));
  }

  /** Gives at most so many free pages back to the disk, but for those to keep; returns how many. @throws DocumentsUnavailable */
  giveBack(atMost: number, keep: number): Promise<number> {
    return translated(this.file.write('giveBack', atMost, keep));
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** What the statement of a query answers; undefined where its table was not declared in a file open for reading alone. */
  private read({ text }: Sql, run: (statement: Statement) => unknown): unknown {
    try {
      return run(this.prepared(text));
    } catch (error) {
      const isUndeclared = this.isToRead && error instanceof Error && error.message.startsWith('no such table');
      if (isUndeclared) return undefined;
      throw error;
    }
  }

  private prepared(text: string): Statement {
    const statement = this.statements.get(text) ?? this.file.reader.prepare(text).raw();
    this.statements.set(text, statement);
    return statement;
  }
}

const parsed = ([row]: [Buffer]): readonly Bound[] => JSON.parse(row.toString()) as Bound[];

const translated = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer;
  } catch (error) {
    const isUnavailable = error instanceof StorageRefused || error instanceof OutcomeUnknown;
    if (isUnavailable) throw new DocumentsUnavailable(error.message, { cause: error });
    const isDuplicate = error instanceof OperationFailed && error.code === 'SQLITE_CONSTRAINT_UNIQUE';
    if (isDuplicate) throw new DuplicateDocument(error.message, { cause: error });
    throw error;
  }
};

/** A document, when it expires, and how many characters its body has as JSON. */
export interface ExpiringDocument {
  readonly document: Document<unknown>;
  readonly expiresAt: Instant | null;
  readonly length: number;
}

interface Table {
  /** By id; `found` null: there is none. The whole is null where nothing was read yet. */
  known: LRUCache<string, { readonly found: ExpiringDocument | null }> | null;
  /** Writes that were sent and are not answered. */
  writing: number;
}

/** How many documents of a collection are known, and how many characters the body of one has at most. */
const [KNOWN, LONGEST] = [1_000, 2_000];

/** Documents as last read, for the only writer of a file. A write forgets its collection, and nothing is kept until it ends. */
export class KnownDocuments {
  private readonly tables = new Map<string, Table>();

  /** A document, which is read where it is not known. All who ask for it get the same one: nobody may change its body. */
  get(collection: string, id: string, read: () => ExpiringDocument | null): ExpiringDocument | null {
    const table = this.table(collection);
    const seen = table.known?.get(id);
    if (seen) return seen.found;
    const found = read();
    if (table.writing === 0 && (found?.length ?? 0) <= LONGEST)
      (table.known ??= new LRUCache(upTo(KNOWN))).set(id, { found });
    return found;
  }

  async during<Answer>(collection: string, write: () => Promise<Answer>): Promise<Answer> {
    const table = this.table(collection);
    table.writing += 1;
    table.known?.clear();
    try {
      return await write();
    } finally {
      table.writing -= 1;
    }
  }

  private table(collection: string): Table {
    let table = this.tables.get(collection);
    if (!table) this.tables.set(collection, (table = { known: null, writing: 0 }));
    return table;
  }
}
