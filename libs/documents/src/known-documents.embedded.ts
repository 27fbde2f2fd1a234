import { LRUCache } from 'lru-cache';
import { type Instant, upTo } from '#kernel';
import type { Document } from './documents.port.js';

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
