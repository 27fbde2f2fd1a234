import type { Database, Program } from '#sqlite';

export interface Statement {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}

export type DocumentWrites = {
  /** Declares or drops tables and indexes. */
  readonly define: (statements: readonly Statement[]) => void;
  /** Runs statements in one piece; returns how many rows each changed. */
  readonly run: (statements: readonly Statement[]) => readonly number[];
  /** Gives at most so many free pages back to the disk, but for those to keep; returns how many. */
  readonly giveBack: (atMost: number, keep: number) => number;
};

/** The file of a document store: a registry of collections, and a table for each (made when it is prepared). */
export const program: Program<DocumentWrites> = {
  name: 'document store',
  applicationId: 0x616c6364, // "alcd"
  migrations: ['CREATE TABLE collections (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID'],
  shrinks: true,
  prepare: (db) => {
    const freePages = db.prepare('SELECT freelist_count FROM pragma_freelist_count').pluck();
    const countFree = () => Number(freePages.all()[0]);
    let statements = new Map<string, ReturnType<Database['prepare']>>();
    const prepared = (text: string) => {
      const statement = statements.get(text) ?? db.prepare(text);
      statements.set(text, statement);
      return statement;
    };
    return {
      define: (definitions) => {
        for (const { text, values } of definitions) db.prepare(text).run(values);
        statements = new Map(); // some may have been for tables that are gone
      },
      run: (changes) => changes.map(({ text, values }) => prepared(text).run(values).changes),
      giveBack: (atMost, keep) => {
        const free = countFree();
        const pages = Math.min(atMost, free - keep);
        if (pages <= 0) return 0;
        db.exec(`PRAGMA incremental_vacuum(${pages})`);
        return free - countFree();
      },
    };
  },
};
