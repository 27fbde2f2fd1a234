import { type CollectionSpec, type Document, Documents, type Filter, type Query } from '#documents';
import type { Intercept } from './intercept.js';

/** Documents with somebody between. Calls: `insert <collection>`, and so `get`, `replace`, `delete`. */
export class InterceptedDocuments extends Documents {
  constructor(
    private readonly documents: Documents,
    private readonly intercept: Intercept,
  ) {
    super();
  }

  prepare(spec: CollectionSpec): Promise<void> {
    return this.documents.prepare(spec);
  }

  insert(...args: Parameters<Documents['insert']>): Promise<void> {
    return this.intercept(`insert ${args[0]}`, () => this.documents.insert(...args));
  }

  get<Body>(collection: string, id: string): Promise<Document<Body> | null> {
    return this.intercept(`get ${collection}`, () => this.documents.get<Body>(collection, id));
  }

  getMany<Body>(collection: string, ids: readonly string[]): Promise<readonly Document<Body>[]> {
    return this.documents.getMany<Body>(collection, ids);
  }

  replace(...args: Parameters<Documents['replace']>): Promise<boolean> {
    return this.intercept(`replace ${args[0]}`, () => this.documents.replace(...args));
  }

  delete(...args: Parameters<Documents['delete']>): Promise<boolean> {
    return this.intercept(`delete ${args[0]}`, () => this.documents.delete(...args));
  }

  find<Body>(collection: string, query: Query): Promise<readonly Document<Body>[]> {
    return this.documents.find<Body>(collection, query);
  }

  scan<Body>(collection: string, after: string | null, limit: number): Promise<readonly Document<Body>[]> {
    return this.documents.scan<Body>(collection, after, limit);
  }

  count(collection: string, filter: Filter): Promise<number> {
    return this.documents.count(collection, filter);
  }

  deleteExpired(): Promise<number> {
    return this.documents.deleteExpired();
  }

  close(): Promise<void> {
    return this.documents.close();
  }
}
