import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Api } from '#agent';
import type { Mandate, Order } from '../support/answers.js';
import { wholeList } from '../support/purchase.js';

/** Commits of which a data folder is kept (test/fixtures/README.md), the first one with today's form of the log among them. */
export const EARLIER = ['4f48837', '7b8fc1b'] as const;
/** What its keys and secrets are encrypted with: nothing that anybody else uses. */
export const EARLIER_KEY = 'e0'.repeat(32);

interface Sold {
  readonly orders: readonly Pick<Order, 'id' | 'status' | 'grandTotal' | 'ticketCode'>[];
  readonly mandates: readonly (Pick<Mandate, 'id' | 'limit' | 'consumed'> & Mandate['revocation'])[];
}

/** What the earlier commit said it had sold, and the last checkpoint of its transparency log; null where it had none. */
export interface Earlier {
  readonly ana: Sold;
  readonly bruno: Sold;
  readonly checkpoint: string | null;
}

export const soldTo = async (api: Api): Promise<Sold> => {
  const orders = await wholeList<Order>(api, '/orders');
  const mandates = await wholeList<Mandate>(api, '/mandates');
  return {
    orders: orders.map(({ id, status, grandTotal, ticketCode }) => ({ id, status, grandTotal, ticketCode })),
    mandates: mandates.map(({ id, limit, consumed, revocation: { revokedAt } }) => ({
      id,
      limit,
      consumed,
      revokedAt,
    })),
  };
};

export const folderOf = (commit: string): string => join('test/fixtures', commit);

/** Puts the files of an earlier commit into a folder; returns what it said of them. */
export const unpackEarlier = async (commit: string, folder: string): Promise<Earlier> => {
  const kept = folderOf(commit);
  for (const name of (await readdir(kept)).filter((one) => one.endsWith('.br')))
    await writeFile(join(folder, basename(name, '.br')), brotliDecompressSync(await readFile(join(kept, name))));
  return JSON.parse(await readFile(join(kept, 'books.json'), 'utf8')) as Earlier;
};
