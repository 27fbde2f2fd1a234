import type { Instant } from '#kernel';
import type { ZodType } from 'zod';
import { type Document, type Documents, DuplicateDocument } from './documents.port.js';
import type { CollectionSpec, Condition, Query } from './query.js';

/** How many documents are read at a time. */
const PAGE = 100;

/** When a document expires. Left out, a new document never does, and a changed one keeps the expiry it had. */
interface Expiry {
  readonly expiresAt?: Instant;
}
/** null: never, whatever the document had. */
interface NextExpiry {
  readonly expiresAt?: Instant | null;
}

/** A typed collection of what cannot be rebuilt. Writes say whether nobody was faster; all throw DocumentsUnavailable. */
export class Collection<Body extends object> {
  constructor(
    private readonly documents: Documents,
    private readonly spec: CollectionSpec,
    private readonly schema: ZodType<Body>,
  ) {}

  /** Declares the collection and its indexes, at start. Safe to repeat. */
  async prepare(): Promise<void> {
    await this.documents.prepare(this.spec);
  }

  async get(id: string): Promise<Document<Body> | null> {
    const document = await this.documents.get<unknown>(this.spec.name, id);
    return document && this.checked(document);
  }

  /** Those of these ids that there are, in any order. */
  async getMany(ids: readonly string[]): Promise<readonly Document<Body>[]> {
    const found = await this.documents.getMany<unknown>(this.spec.name, ids);
    return found.map((document) => this.checked(document));
  }

  /** Stores a new document. @throws DuplicateDocument where the id, or a value of a unique index, is taken */
  async insert(id: string, body: Body, expiry: Expiry = {}): Promise<void> {
    await this.documents.insert(this.spec.name, id, body, expiry);
  }

  /** Stores a new document; returns false where the id, or a value of a unique index, is taken. */
  async insertIfAbsent(id: string, body: Body, expiry: Expiry = {}): Promise<boolean> {
    try {
      await this.insert(id, body, expiry);
      return true;
    } catch (error) {
      if (error instanceof DuplicateDocument) return false;
      throw error;
    }
  }

  /** Replaces the body if the document still is as it was read; returns whether it was. */
  async replace({ id, version }: Document<Body>, body: Body, expiry: NextExpiry = {}): Promise<boolean> {
    return this.documents.replace(this.spec.name, id, version, body, expiry);
  }

  /** Changes a document until nobody was faster; returns the body written, or null. Unique values must not change. */
  async update(id: string, change: (body: Body | null) => Body | null, expiry: Expiry = {}): Promise<Body | null> {
    for (;;) {
      const read = await this.get(id);
      const body = change(read?.body ?? null);
      if (body === null) return null;
      if (await (read ? this.replace(read, body, expiry) : this.insertIfAbsent(id, body, expiry))) return body;
    }
  }

  /** Removes a document, where `version` is given only while it has that one; returns whether it did. */
  async delete(id: string, version?: number): Promise<boolean> {
    return this.documents.delete(this.spec.name, id, version);
  }

  /** Removes all documents with this value of an indexed field, those inserted meanwhile too; returns how many. */
  async deleteAll(field: keyof Body & string, value: string): Promise<number> {
    const sort = { field, direction: 'ascending' } as const;
    let deleted = 0;
    for (;;) {
      const found = await this.find({ where: [{ field, equals: value }], sort, limit: PAGE });
      if (found.length === 0) return deleted;
      for (const { id } of found) if (await this.delete(id)) deleted += 1;
    }
  }

  /** Removes every document, whatever is in it, those inserted meanwhile too; returns how many there were. */
  async clear(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const found = await this.documents.scan<unknown>(this.spec.name, null, PAGE);
      if (found.length === 0) return deleted;
      const gone = await Promise.all(found.map(({ id }) => this.delete(id)));
      deleted += gone.filter(Boolean).length;
    }
  }

  async find(query: Query): Promise<readonly Document<Body>[]> {
    const found = await this.documents.find<unknown>(this.spec.name, query);
    return found.map((document) => this.checked(document));
  }

  /** All documents that a filter matches, in the order of `field`, an indexed one that holds text; read in pages. */
  async *all(field: keyof Body & string, where: readonly Condition[] = []): AsyncIterable<Document<Body>> {
    const query: Query = { where, sort: { field, direction: 'ascending' }, limit: PAGE };
    let page = await this.find(query);
    while (page.length > 0) {
      yield* page;
      const last = page.at(-1);
      page = last ? await this.find({ ...query, after: { value: String(last.body[field]), id: last.id } }) : [];
    }
  }

  /** Every document, in the order of the ids; read in pages. Those inserted meanwhile may be among them or not. */
  async *every(): AsyncIterable<Document<Body>> {
    let page: readonly Document<unknown>[];
    for (let after: string | null = null; ; after = page.at(-1)?.id ?? null) {
      page = await this.documents.scan<unknown>(this.spec.name, after, PAGE);
      for (const document of page) yield this.checked(document);
      if (page.length < PAGE) return;
    }
  }

  private checked({ id, version, body }: Document<unknown>): Document<Body> {
    return { id, version, body: this.schema.parse(body) };
  }
}
