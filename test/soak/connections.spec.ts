import { tokensFor } from '../support/agent.js';
import { LightApi } from '../bench/light-api.js';
import { flights } from '../bench/flights.js';
import { writeCatalog } from '../support/catalog.js';
import { ownFolder } from '../support/service.js';
import { swept } from '../support/sweep.js';
import { flood, FLOODINGS, type Flooding } from './flood.js';
import { openTraffic, type Traffic } from './traffic.js';
import { type Reading, startWatched, type Watched } from './watched.js';

const each = FLOODINGS.map((flooding) => [flooding]);
/** The kinds that come together: all of them, or one after the other. */
const TOGETHER = swept<readonly (readonly Flooding[])[]>({ short: [FLOODINGS], middle: each, full: each });
/** Connections of a kind, in all; those at once are more than the service holds. */
const CONNECTIONS = swept({ short: 60, middle: 600, full: 4_000 });
const [AT_ONCE, HELD, BY_ADDRESS, ADDRESSES] = [120, 60, 20, 4];
/** Calls of the others beside each flood: one of every kind of errand and more. */
const CALLS = 25;
const FEW = 10;
/** How often somebody says again what was cut off before it was answered. */
const TRIES = 20;

const folder = ownFolder(async () => {
  // Before the client, which is not there where it was not let in: no process stays behind.
  await service.stop();
  api.close();
});
let service: Watched;
let api: LightApi;
let traffic: Traffic;
let before: Reading;
beforeAll(async () => {
  service = await startWatched({
    DATA_DIR: folder,
    CATALOG_FILE: await writeCatalog(folder, flights()),
    TRUST_PROXY: 'none',
    LIMIT_CONNECTIONS: String(HELD),
    LIMIT_CONNECTIONS_BY_ADDRESS: String(BY_ADDRESS),
    LIMIT_PUBLIC_READS: '0',
    HEADERS_SECONDS: '1',
    REQUEST_SECONDS: '1',
    IDLE_SECONDS: '1',
  });
  const { access_token } = await insist(() => tokensFor(service.origin));
  api = new LightApi(`${service.origin}/api/v1`, access_token);
  traffic = await openTraffic(api);
  for (let n = 0; n < CALLS; n += 1) await insist(() => traffic.call(n)); // what is opened or loaded once, is by now
  before = await leftAlone();
});

const leftAlone = async (sockets = Infinity): Promise<Reading> => {
  api.close();
  for (;;) {
    const reading = await service.readExactly();
    if (reading.connections === 0 && (reading.sockets ?? 0) <= sockets) return reading;
  }
};

/** Asks until there is an answer: who is cut off before says it again, as agents do. */
const insist = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  for (let tries = TRIES; ; tries -= 1) {
    try {
      return await ask();
    } catch (error) {
      const isCut = [error, error instanceof Error && error.cause].some((one) => one instanceof Error && 'code' in one);
      if (!isCut || tries === 0) throw error;
    }
  }
};

describe.each(TOGETHER.map((kinds) => [kinds.join(', '), kinds] as const))('connections (%s)', (_, kinds) => {
  it('keep nobody else from being answered, are all ended by the service, and leave nothing behind', async () => {
    const port = Number(new URL(service.origin).port);
    const floods = kinds.map((kind) => flood(kind, port, { count: AT_ONCE, addresses: ADDRESSES, inAll: CONNECTIONS }));
    for (let n = 0; n < CALLS; n += 1) await insist(() => traffic.call(n));
    for (const one of floods) {
      await one.drained();
      const { opened, refused } = one.tally();
      expect(opened + refused).toBe(CONNECTIONS);
      expect(opened).toBeGreaterThan(0);
    }

    // It waits for the sockets to be gone from memory; what else a process opens by itself is less than a connection each.
    const after = await leftAlone(before.sockets ?? 0);
    expect(after.descriptors ?? 0).toBeLessThan((before.descriptors ?? 0) + FEW);
  });
});
