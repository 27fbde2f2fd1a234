import {
  type CollectionSpec,
  type Document,
  type Filter,
  type GuardedDocument,
  type GuardedWrite,
  type Query,
  ReadModelStore,
} from '#documents';
import type { Instant } from '#kernel';

export class Cut extends Error {
  override readonly name = 'Cut';
}

/** A store whose connection breaks after so many guarded writes, wherever in a batch that is, until `mend`. */
export class CutStore extends ReadModelStore {
  /** How many guarded writes were asked for and done. */
  written = 0;

  constructor(
    private readonly inner: ReadModelStore,
    private budget: number,
  ) {
    super();
  }

  mend(): void {
    this.budget = Infinity;
  }

  async putGuarded(collection: string, writes: readonly GuardedWrite[]): Promise<readonly string[]> {
    const ahead: string[] = [];
    for (const write of writes) {
      if (this.budget === 0) throw new Cut(`after ${this.written} writes`);
      ahead.push(...(await this.inner.putGuarded(collection, [write])));
      this.budget -= 1;
      this.written += 1;
    }
    return ahead;
  }

  getGuarded(collection: string, ids: readonly string[]): Promise<readonly GuardedDocument[]> {
    return this.inner.getGuarded(collection, ids);
  }

  prepare(spec: CollectionSpec): Promise<void> {
    return this.inner.prepare(spec);
  }

  insert(collection: string, id: string, body: object, options?: { readonly expiresAt?: Instant }): Promise<void> {
    return this.inner.insert(collection, id, body, options);
  }

  get<Body>(collection: string, id: string): Promise<Document<Body> | null> {
    return this.inner.get<Body>(collection, id);
  }

  getMany<Body>(collection: string, ids: readonly string[]): Promise<readonly Document<Body>[]> {
    return this.inner.getMany<Body>(collection, ids);
  }

  replace(collection: string, id: string, version: number, body: object): Promise<boolean> {
    return this.inner.replace(collection, id, version, body);
  }

  delete(collection: string, id: string, version?: number): Promise<boolean> {
    return this.inner.delete(collection, id, version);
  }

  find<Body>(collection: string, query: Query): Promise<readonly Document<Body>[]> {
    return this.inner.find<Body>(collection, query);
  }

  scan<Body>(collection: string, after: string | null, limit: number): Promise<readonly Document<Body>[]> {
    return this.inner.scan<Body>(collection, after, limit);
  }

  count(collection: string, filter: Filter, atMost?: number): Promise<number> {
    return this.inner.count(collection, filter, atMost);
  }

  drop(collection: string): Promise<void> {
    return this.inner.drop(collection);
  }

  clear(collection: string): Promise<void> {
    return this.inner.clear(collection);
  }

  collections(prefix: string): Promise<readonly string[]> {
    return this.inner.collections(prefix);
  }

  deleteExpired(): Promise<number> {
    return this.inner.deleteExpired();
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
