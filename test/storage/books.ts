import { verifyLog } from '#audit';
import { bookings } from '#booking';
import { flights } from '#catalog';
import { mandates } from '#mandate';
import { orders } from '#order';
import { type Dependencies, PROJECTIONS } from '#runtime';
import Libsql from 'libsql';
import { join } from 'node:path';

/** What a folder holds, and what is answered from it: by the name of a thing, what is said of it, as JSON. */
export type Books = Readonly<Record<string, string>>;

/** Collections that every start and every moment writes to, or that are caches. */
const VOLATILE: readonly string[] = ['leases', 'snapshots', 'imported-catalog'];

type Load = (aggregates: Dependencies['aggregates'], id: string) => Promise<{ readonly state: unknown }>;

/** By category of streams, how the service reads one. */
const LOADS: Readonly<Record<string, Load>> = {
  mandate: (aggregates, id) => aggregates.load(mandates, id),
  order: (aggregates, id) => aggregates.load(orders, id),
  booking: (aggregates, id) => aggregates.load(bookings, id),
  flight: (aggregates, id) => aggregates.load(flights, id),
};

export const booksOf = async (dependencies: Dependencies, folder: string): Promise<Books> => {
  const { events, aggregates, readModels, readModelStore } = dependencies;
  const books: Record<string, string> = {};
  const streams = new Set<string>();
  for await (const page of events.readPages(null)) {
    for (const { stream, revision, type, data, metadata } of page) {
      streams.add(stream);
      books[`event ${stream}@${revision}`] = `${type} ${data} ${metadata}`;
    }
  }
  for (const stream of streams) {
    const [category = '', ...id] = stream.split('-');
    const load = LOADS[category];
    if (load) books[`state ${stream}`] = JSON.stringify((await load(aggregates, id.join('-'))).state);
  }
  for (const projection of PROJECTIONS) {
    const collection = readModels.collectionOf(projection);
    for (const { id, body } of await readModelStore.scan(collection, null, 10_000)) {
      books[`list ${projection.name} ${id}`] = JSON.stringify(body);
    }
  }
  return { ...books, ...documentsIn(folder) };
};

/** The documents as they lie there: the start has checked them. */
const documentsIn = (folder: string): Books => {
  const db = new Libsql(join(folder, 'documents.db'));
  try {
    const names = db.prepare('SELECT name FROM collections ORDER BY name').pluck().all() as string[];
    const entries = names
      .filter((name) => !VOLATILE.includes(name))
      .flatMap((name) => {
        const rows = db.prepare(`SELECT id, body FROM "c_${name}"`).raw().all() as [string, string][];
        return rows.map(([id, body]) => [`document ${name} ${id}`, body] as const);
      });
    return Object.fromEntries(entries);
  } finally {
    db.close();
  }
};

/** What of the log, the ledger and the tree does not agree, by the auditor's rules. */
export const breachesOf = async (dependencies: Dependencies): Promise<readonly string[]> => {
  const { breaches } = await verifyLog(dependencies, { since: null, sealing: [] });
  return breaches.map(({ rule, stream, message }) => `${rule} ${stream}: ${message}`);
};

/** Where books differ first; null: they are the same. */
export const differenceOf = (books: Books, expected: Books): string | null => {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(books)])];
  const name = names.find((one) => books[one] !== expected[one]);
  return name === undefined ? null : `${name}: ${books[name] ?? 'nothing'} and not ${expected[name] ?? 'nothing'}`;
};
