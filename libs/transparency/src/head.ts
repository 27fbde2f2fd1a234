import { Collection, type CollectionSpec, type Documents } from '#documents';
import type { Position } from '#event-store';
import { z } from 'zod';

/** The head of the log of logs, which cannot be rebuilt: it says what has been signed. */
export const TLOG_HEAD: CollectionSpec = { name: 'tlog-head', indexes: [] };

const ID = 'head';

/** `markedAfter`: absent in a head that was written before there were marks. */
const storedHead = z.object({
  size: z.number(),
  root: z.base64(),
  position: z.string(),
  markedAfter: z.string().optional(),
});

/** The tree that was sealed last. */
export interface Head {
  readonly size: number;
  readonly root: Uint8Array;
  /** Up to where in the log these are all entries. */
  readonly position: Position;
  /** After which place in the log events have marks: entries up to there are of the first form, and stay it. */
  readonly markedAfter: Position;
}

/** A head as it was read, to be replaced while it still is so. */
export interface ReadHead extends Head {
  readonly version: number;
}

/** The head by compare-and-set. Nothing else is signed, so who replaces it decides for all sealers (rule 32). */
export class Heads {
  private readonly stored: Collection<z.infer<typeof storedHead>>;

  constructor(private readonly documents: Documents) {
    this.stored = new Collection(documents, TLOG_HEAD, storedHead);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** The head; null before the first. @throws DocumentsUnavailable */
  async read(): Promise<ReadHead | null> {
    const found = await this.stored.get(ID);
    if (!found) return null;
    // All that an older head has signed is of the first form; the next head writes down where that ended.
    const { size, root, position, markedAfter = position } = found.body;
    return { size, root: Buffer.from(root, 'base64'), position, markedAfter, version: found.version };
  }

  /** Puts a head in the place of the one that was read (null: of none); returns false where somebody else was faster. */
  async replace(read: ReadHead | null, { size, root, position, markedAfter }: Head): Promise<boolean> {
    const body = { size, root: Buffer.from(root).toString('base64'), position, markedAfter };
    if (read === null) return this.stored.insertIfAbsent(ID, body);
    return this.documents.replace(TLOG_HEAD.name, ID, read.version, body);
  }
}
