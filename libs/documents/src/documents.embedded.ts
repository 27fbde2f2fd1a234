import type { MessagePort } from 'node:worker_threads';
import type { Clock, Instant } from '#kernel';
import { rewriteFile, type SqliteFileOptions, UnusableFile, type Work, type WritableFile } from '#sqlite';
import { intactBody } from './checksum.js';
import { CollectionSql } from './collection-sql.js';
import { collectionsSql, defineSql, dropSql, existingIndexesSql, uncheckedSql } from './collection-tables.js';
import { type Document, DuplicateDocument } from './documents.port.js';
import { DocumentsFile, type ExpiringDocument, KnownDocuments } from './documents.file.embedded.js';
import { type DocumentWrites, program } from './documents.program.embedded.js';
import type { CollectionSpec, Filter, Query } from './query.js';
import { type GuardedDocument, type GuardedWrite, ReadModelStore } from './read-model-store.port.js';
import type { Sql } from './sql.js';

/** Where the documents lie, how durable an answered write is, and the time by which they expire. */
export interface EmbeddedDocumentsOptions extends Omit<SqliteFileOptions, 'program'> {
  readonly clock: Clock;
}

export type WorkOnDocuments<Data> = Work<DocumentWrites, Data>;

/** How many expired documents one transaction deletes, so that it holds up no other write for long. */
const EXPIRED_AT_ONCE = 500;

/** How many free pages (of 4 KiB) one transaction gives back to the disk: some milliseconds. */
const PAGES_AT_ONCE = 256;

/** How many stay: what expires within a minute makes room for what comes in the next. */
const PAGES_KEPT = 256;

/** Documents in one SQLite file: a table a collection, bodies as JSON, expression indexes. Serves as `Documents` too. */
export class EmbeddedDocuments extends ReadModelStore {
  private readonly prepared = new Map<string, CollectionSql>();

  private constructor(
    private readonly file: DocumentsFile,
    private readonly clock: Clock,
    /** null where somebody else writes to the file. */
    private known: KnownDocuments | null = null,
  ) {
    super();
  }

  /** @throws UnusableFile with a message for the operator. */
  static async open({ clock, ...options }: EmbeddedDocumentsOptions): Promise<EmbeddedDocuments> {
    const file = await DocumentsFile.open(options);
    const [unchecked] = await file.rows(uncheckedSql);
    if (!unchecked) return new EmbeddedDocuments(file, clock, new KnownDocuments());
    await file.close();
    throw new UnusableFile(
      `${options.file} is of a time before documents had checksums, and this program reads neither it nor the log of that ` +
        'time: go on with the program that wrote it, or begin with an empty DATA_DIR',
    );
  }

  /** Opens an existing file for reading alone, beside the process that writes to it. @throws UnusableFile */
  static async openToRead(file: string, clock: Clock): Promise<EmbeddedDocuments> {
    return new EmbeddedDocuments(await DocumentsFile.openToRead(file), clock);
  }

  /** Writes a file again that nobody has open, so that nothing of what was deleted stays in it. @throws UnusableFile */
  static rewrite(file: string): void {
    rewriteFile(file, program);
  }

  /** The documents for who works in the writing thread of their file (see `begin`), which closes it. */
  static over(file: WritableFile<DocumentWrites>, clock: Clock): EmbeddedDocuments {
    return new EmbeddedDocuments(DocumentsFile.over(file), clock);
  }

  /** Begins the work of a module (`WorkOnDocuments`) in the writing thread of the file; returns the port to it. */
  begin(module: URL, data: unknown, ...ports: readonly MessagePort[]): MessagePort {
    if (!this.file.begin) throw new TypeError('there is no writing thread');
    this.known = null;
    return this.file.begin(module, data, ...ports);
  }

  async prepare(spec: CollectionSpec): Promise<void> {
    const indexes = await this.file.rows<[string]>(existingIndexesSql(spec.name));
    await this.writing(spec.name, () => this.file.define(defineSql(spec, indexes.flat())));
    this.prepared.set(spec.name, new CollectionSql(spec));
  }

  async insert(collection: string, id: string, body: object, options: { expiresAt?: Instant } = {}): Promise<void> {
    const table = this.collection(collection);
    const now = this.clock.now();
    const json = JSON.stringify(body);
    const row = { id, position: null, expiresAt: options.expiresAt ?? null, body: json };
    const changes = await this.run(collection, [...table.free(json, now), table.insert(row, now)]);
    if (changes.at(-1) !== 1) throw new DuplicateDocument(`${collection} has a document ${id}`);
  }

  get<Body>(collection: string, id: string): Promise<Document<Body> | null> {
    return Promise.resolve().then(() => {
      const table = this.collection(collection);
      const read = (): ExpiringDocument | null => {
        const row = this.file.row(table.get(id)) as FoundRow | undefined;
        return row
          ? { document: documentOf<unknown>(collection, row), expiresAt: row[5], length: row[3].length }
          : null;
      };
      const found = this.known ? this.known.get(collection, id, read) : read();
      if (!found || (found.expiresAt !== null && found.expiresAt <= this.clock.now())) return null;
      return found.document as Document<Body>; // the port trusts the type that a body is read as
    });
  }

  async getMany<Body>(collection: string, ids: readonly string[]): Promise<readonly Document<Body>[]> {
    const rows = await this.file.rows<DocumentRow>(this.collection(collection).getMany(ids, this.clock.now()));
    return rows.map((row) => documentOf<Body>(collection, row));
  }

  async replace(
    collection: string,
    id: string,
    version: number,
    body: object,
    options: { expiresAt?: Instant | null } = {},
  ): Promise<boolean> {
    const table = this.collection(collection);
    const now = this.clock.now();
    const json = JSON.stringify(body);
    const replace = table.replace(id, version, json, options.expiresAt, now);
    const changes = await this.run(collection, [...table.free(json, now), replace]);
    return changes.at(-1) === 1;
  }

  async delete(collection: string, id: string, version?: number): Promise<boolean> {
    const [changed] = await this.run(collection, [this.collection(collection).delete(id, version, this.clock.now())]);
    return changed === 1;
  }

  async find<Body>(collection: string, query: Query): Promise<readonly Document<Body>[]> {
    const rows = await this.file.rows<DocumentRow>(this.collection(collection).find(query, this.clock.now()));
    return rows.map((row) => documentOf<Body>(collection, row));
  }

  async scan<Body>(collection: string, after: string | null, limit: number): Promise<readonly Document<Body>[]> {
    const rows = await this.file.rows<DocumentRow>(this.collection(collection).scan(after, limit, this.clock.now()));
    return rows.map((row) => documentOf<Body>(collection, row));
  }

  async count(collection: string, filter: Filter, atMost?: number): Promise<number> {
    const count = this.collection(collection).count(filter, this.clock.now(), atMost);
    const [row] = await this.file.rows<[number]>(count);
    return row?.[0] ?? 0;
  }

  async getGuarded(collection: string, ids: readonly string[]): Promise<readonly GuardedDocument[]> {
    const rows = await this.file.rows<DocumentRow>(this.collection(collection).getGuarded(ids, this.clock.now()));
    return rows.map((row) => {
      const { id, body } = documentOf<object | null>(collection, row);
      return { id, position: row[2] ?? '', body };
    });
  }

  async putGuarded(collection: string, writes: readonly GuardedWrite[]): Promise<readonly string[]> {
    const table = this.collection(collection);
    const now = this.clock.now();
    const statements = writes.map((write) => table.putGuarded(write, now));
    const changes = await this.run(collection, statements);
    return writes.filter((_, place) => changes[place] !== 1).map(({ id }) => id);
  }

  async drop(collection: string): Promise<void> {
    this.prepared.delete(collection);
    await this.writing(collection, () => this.file.define(dropSql(collection)));
  }

  async clear(collection: string): Promise<void> {
    await this.run(collection, [this.collection(collection).clear()]);
  }

  async collections(prefix: string): Promise<readonly string[]> {
    const rows = await this.file.rows<[string]>(collectionsSql);
    return rows.flat().filter((name) => name.startsWith(prefix));
  }

  async deleteExpired(): Promise<number> {
    let total = 0;
    for (const [collection, table] of this.prepared) {
      for (let deleted = EXPIRED_AT_ONCE; deleted === EXPIRED_AT_ONCE; total += deleted) {
        const changes = await this.run(collection, [table.deleteExpired(EXPIRED_AT_ONCE, this.clock.now())]);
        deleted = changes[0] ?? 0;
      }
    }
    while ((await this.file.giveBack(PAGES_AT_ONCE, PAGES_KEPT)) > 0);
    return total;
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private run(collection: string, statements: readonly Sql[]): Promise<readonly number[]> {
    return this.writing(collection, () => this.file.run(statements));
  }

  private writing<Answer>(collection: string, write: () => Promise<Answer>): Promise<Answer> {
    return this.known ? this.known.during(collection, write) : write();
  }

  private collection(name: string): CollectionSql {
    const collection = this.prepared.get(name);
    if (!collection) throw new TypeError(`collection ${name} was not prepared`);
    return collection;
  }
}

/** A document as it lies in the file; `body` is JSON text, null for a tombstone. */
type DocumentRow = readonly [
  id: string,
  version: number,
  position: string | null,
  body: string | null,
  checksum: number,
];

/** One that is no tombstone, with when it expires. */
type FoundRow = readonly [
  id: string,
  version: number,
  position: string | null,
  body: string,
  checksum: number,
  expiresAt: Instant | null,
];

/** The port trusts the type that a body is read as. @throws CorruptDocument */
const documentOf = <Body>(collection: string, row: DocumentRow | FoundRow): Document<Body> => {
  const [id, version, position, body, checksum] = row;
  return { id, version, body: intactBody(collection, { id, version, position, body }, checksum) as Body };
};
