import { LRUCache } from 'lru-cache';
import type { Instant } from '#kernel';

/** A document as it lies in the file; `body` is JSON text, null for a tombstone. */
export type DocumentRow = readonly [
  id: string,
  version: number,
  position: string | null,
  body: string | null,
  checksum: number,
];

/** The same with when it expires. */
export type ExpiringRow = readonly [...DocumentRow, expiresAt: Instant | null];

interface Table {
  /** By id; `row` undefined: there is none. */
  readonly known: LRUCache<string, { readonly row: ExpiringRow | undefined }>;
  /** Writes that were sent and are not answered. */
  writing: number;
}

/** How many documents of a collection are known, and how many characters the body of one has at most. */
const [KNOWN, LONGEST] = [1_000, 2_000];

/**
 * Rows as they were read last, also that there is none: the grant of a token is looked at for every request, and hardly
 * ever changes. Only who alone writes to a file may rely on it. A write to a collection makes all of it unknown, and until
 * it is answered nothing becomes known: what is read meanwhile may be older or newer than the write.
 */
export class KnownRows {
  private readonly tables = new Map<string, Table>();

  /** The row of a document, which is read where it is not known. */
  get(collection: string, id: string, read: () => ExpiringRow | undefined): ExpiringRow | undefined {
    const { known, writing } = this.table(collection);
    const found = known.get(id);
    if (found) return found.row;
    const row = read();
    if (writing === 0 && (row?.[3]?.length ?? 0) <= LONGEST) known.set(id, { row });
    return row;
  }

  /** Does what writes to a collection. */
  async during<Answer>(collection: string, write: () => Promise<Answer>): Promise<Answer> {
    const table = this.table(collection);
    table.writing += 1;
    table.known.clear();
    try {
      return await write();
    } finally {
      table.writing -= 1;
    }
  }

  private table(collection: string): Table {
    let table = this.tables.get(collection);
    if (!table) this.tables.set(collection, (table = { known: new LRUCache({ max: KNOWN }), writing: 0 }));
    return table;
  }
}
