import { cpSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#config';
import { mandates } from '#mandate';
import { createLogger } from '#runtime';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';
import { agentAt } from '../support/agent.js';
import { book, buy, DECLINED_CARD, grant, order, TRIP_PRICE } from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { settled } from '../support/service.js';
import { type Books, booksOf } from './books.js';
import { served } from './served.js';

export interface Prepared {
  /** Of an earlier moment, closed. */
  readonly older: string;
  /** Closed. */
  readonly closed: string;
  /** As a kill leaves it, right before that: the last writes are in the write-ahead logs. */
  readonly killed: string;
  /** The file with the books of each, the latest first. */
  readonly books: string;
  /** The file with the checkpoint that was published last. */
  readonly checkpoint: string;
  /** What stands in all of them. */
  readonly ids: Ids;
}

interface Ids {
  readonly mandate: string;
  readonly booking: string;
  readonly order: string;
  readonly holder: string;
  /** The flight of the booking, by its number and day. */
  readonly flight: readonly string[];
  /** Of the key that signs access tokens. */
  readonly kid: string;
}

const start = (folder: string): Promise<RunningApi> =>
  startApi(readConfig({ PORT: '0', PASSWORD_COST: '10', DATA_DIR: folder }), createLogger('silent'));

/** Buys, is refused, revokes, and leaves a booking open; returns the ids of the first purchase. */
const buying = async ({ origin, dependencies }: RunningApi): Promise<Ids> => {
  const agent = await agentAt(origin);
  const mandate = await grant(agent, TRIP_PRICE * 3);
  const booking = await book(agent);
  const bought = await buy(agent, booking, mandate);
  await buy(agent, await book(agent), mandate);
  await order(agent, await book(agent), mandate, DECLINED_CARD);
  const small = await grant(agent, TRIP_PRICE - 1);
  await order(agent, await book(agent), small);
  await agent.call('DELETE', `/mandates/${small.id}`);
  const { state } = await dependencies.aggregates.load(mandates, mandate.id);
  const holder = 'holder' in state ? state.holder : '';
  const jwks = (await (await fetch(`${origin}/oauth/jwks`)).json()) as { readonly keys: readonly { kid: string }[] };
  const flight = [booking.flightNumber ?? '', booking.departureDate ?? ''];
  return { mandate: mandate.id, booking: booking.id, order: bought.id, holder, flight, kid: jwks.keys[0]?.kid ?? '' };
};

export const prepare = async (root: string): Promise<Prepared> => {
  const running = join(root, 'running');
  const copied = (name: string, from = running): string => {
    cpSync(from, join(root, name), { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
    return join(root, name);
  };
  const earlier = await start(running);
  const ids = await buying(earlier);
  await earlier.stop();
  const older = copied('older');
  const later = await start(running);
  await buying(later);
  await settled(later);
  const checkpoint = join(root, 'checkpoint');
  writeFileSync(checkpoint, (await sealed(later)).checkpoint);
  const killed = copied('killed');
  await later.stop();
  const closed = copied('closed');
  const moments: Books[] = [];
  for (const folder of [closed, killed, older]) {
    const copy = copied('looked-at', folder);
    moments.push(await served(copy, (dependencies) => booksOf(dependencies, copy)));
    rmSync(copy, { recursive: true });
  }
  const books = join(root, 'books.json');
  writeFileSync(books, JSON.stringify(moments));
  return { older, closed, killed, books, checkpoint, ids };
};
