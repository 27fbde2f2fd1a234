import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tellNotGiven } from '#testing';
import { nodeCrypto } from '#transparency';
import {
  appendLeaf,
  decodeBundle,
  EMPTY,
  entriesPath,
  hex,
  leafHash,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  rootOf,
  TILE_WIDTH,
  verifyNote,
  widthIn,
} from '#verifier';
import type { Api } from '#agent';
import { Receiver } from '../../libs/outbox/src/testing/index.js';
import { apiAt, PURCHASE, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import type { Booking, Order } from '../support/answers.js';
import { bodyOf, book, buy, grant, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { type RealProcess, runProjector, startProcess } from '../support/real-process.js';
import { ownFolder } from '../support/service.js';
import { areServersUsed, storesOf } from '../support/stores.js';
import { swept } from '../support/sweep.js';

/** Waits for something that comes about by itself. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await sleep(50);
};

/** How often a process that may be sealing is killed, or stands still for longer than its lease. */
const KILLS = swept({ short: 6, middle: 20, full: 200 });
/** How long (ms) the lease of the sealing process is. */
const LEASE = 1_000;

/** A deterministic choice among `below` numbers. */
const numbersOf =
  (seed: number) =>
  (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };

/** By size, less one: the roots through which the sealed log has gone, by the entries that a service shows. */
const rootsUpTo = async (origin: string, size: number): Promise<readonly string[]> => {
  const { sha256 } = nodeCrypto;
  const roots: string[] = [];
  let edge = EMPTY;
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const answer = await fetch(`${origin}/tlog/${entriesPath({ index, width: widthIn(size, 0, index) })}`);
    expect(answer.status).toBe(200);
    for (const entry of decodeBundle(new Uint8Array(await answer.arrayBuffer()))) {
      edge = appendLeaf(sha256, edge, leafHash(sha256, entry));
      roots.push(hex(rootOf(sha256, edge)));
    }
  }
  return roots;
};

const title = 'processes of the distributed way, over servers';
const cases = () => {
  const folder = ownFolder(() => Promise.all([...apis, ...projectors].map((process) => process.end('SIGTERM'))));
  let projectors: readonly RealProcess[];
  let apis: readonly (RealProcess & { readonly origin: string })[];
  let one: Api;
  let other: Api;
  const environment = () => ({
    ...storesOf(folder),
    PASSWORD_COST: '10',
    LOG_LEVEL: 'silent',
    TLOG_INTERVAL: '0.05',
    PROJECTION_LEASE_SECONDS: String(LEASE / 1_000),
    LIMIT_PUBLIC_READS: '1000000',
    LIMIT_OPERATIONS: '1000000',
    LIMIT_OPEN_MANDATES: '0',
  });
  beforeAll(async () => {
    projectors = [runProjector(environment()), runProjector(environment())];
    apis = await Promise.all([startProcess(folder, environment()), startProcess(folder, environment())]);
    const [first, second] = apis.map(({ origin }) => origin);
    const token = (await tokensFor(first ?? '')).access_token;
    [one, other] = [apiAt(first ?? '', token), apiAt(second ?? '', token)];
    for (const api of [one, other]) await until(async () => (await api.get('/health/ready')).status === 200);
  });

  const isListed = async (api: Api, path: string, id: string): Promise<boolean> =>
    (await wholeList<Booking | Order>(api, path)).some((item) => item.id === id);

  it('sell through one what the other shows', async () => {
    const order = await buy(one, await book(one), await grant(one, TRIP_PRICE));
    expect(await other.get(`/orders/${order.id}/receipt`)).toMatchObject({ status: 200, body: { ticketId: order.id } });
    await until(() => isListed(other, '/orders', order.id));
  });

  it('are found well by the doctor, which asks both servers what they allow and how soon they answer', async () => {
    const { code, stdout } = await alcada(folder, ['doctor'], { environment: environment() });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Nothing is wrong\./)]);
    expect(stdout).toMatch(/ EventStoreDB +answers in \d+\.\d ms; reads and appends are allowed/);
    expect(stdout).toMatch(/ MongoDB +answers in \d+\.\d ms; .+, a majority confirms, clocks agree/);
  });

  it('go on projecting when a process is killed, whichever is at work', async () => {
    for (const killed of projectors) {
      await killed.end('SIGKILL');
      const booking = await book(one);
      await until(() => isListed(other, '/bookings', booking.id));
      projectors = [...projectors.filter((projector) => projector !== killed), runProjector(environment())];
    }
  });

  it('go on telling webhooks when a process is killed, whichever is at work: nothing is left out', async () => {
    const [origin = ''] = apis.map((api) => api.origin);
    const { access_token: token } = await tokensFor(origin, { scopes: [...PURCHASE, 'webhook:manage'] });
    const agent = apiAt(origin, token);
    const receiver = await Receiver.open();
    const { id } = bodyOf(await agent.post<{ readonly id: string }>('/webhooks', { url: receiver.url }), 201);
    const timesTold = (mandateId: string) =>
      receiver.told.filter(({ body: { data } }) => (data as { readonly id: string }).id === mandateId).length;
    const told: string[] = [];
    const tell = async () => {
      const mandate = await grant(agent, 100);
      told.push(mandate.id);
      await until(() => timesTold(mandate.id) > 0);
    };
    for (const killed of projectors) {
      await tell();
      await killed.end('SIGKILL');
      await tell();
      projectors = [...projectors.filter((projector) => projector !== killed), runProjector(environment())];
    }
    await agent.call('DELETE', `/webhooks/${id}`);
    await receiver.close();
    // Once, and again at most for each process that was killed.
    for (const mandateId of told) expect([1, 2, 3]).toContain(timesTold(mandateId));
  });

  it(
    `seal one history, when sealing processes are killed and stand still, ${KILLS} times`,
    async () => {
      const origins = apis.map(({ origin }) => origin);
      for (const origin of origins) await until(async () => (await fetch(`${origin}/tlog/checkpoint`)).status === 200);
      const shown = new Map<string, number>();
      const stopping = new AbortController();
      const collecting = origins.map(async (origin) => {
        let last = 0;
        while (!stopping.signal.aborted) {
          const answer = await fetch(`${origin}/tlog/checkpoint`);
          expect([200, 503]).toContain(answer.status);
          const note = await answer.text();
          if (answer.status === 200) {
            const { size } = parseCheckpoint(parseNote(note).text);
            expect(size).toBeGreaterThanOrEqual(last); // nobody is ever shown an older tree
            last = size;
            shown.set(note, size);
          }
          await sleep(10);
        }
      });
      const selling = [one, other].map(async (api) => {
        // There are 118 seats: some flights, and then mandates alone.
        for (let trip = 0; !stopping.signal.aborted; trip += 1) {
          const mandate = await grant(api, TRIP_PRICE);
          if (trip < 25) await buy(api, await book(api), mandate);
          await sleep(20);
        }
      });
      const working = Promise.all([...collecting, ...selling]);
      const numbers = numbersOf(KILLS);
      const killing = async (): Promise<void> => {
        for (let kill = 0; kill < KILLS && !stopping.signal.aborted; kill += 1) {
          const before = Math.max(0, ...shown.values());
          const isNews = () => stopping.signal.aborted || Math.max(0, ...shown.values()) > before;
          const killed = projectors[numbers(2)];
          await sleep(numbers(300));
          if (numbers(3) === 0) {
            killed?.signal('SIGSTOP');
            await until(isNews);
            await sleep(LEASE + numbers(300));
            killed?.signal('SIGCONT');
          } else {
            await killed?.end('SIGKILL');
            await sleep(numbers(300));
            projectors = [...projectors.filter((projector) => projector !== killed), runProjector(environment())];
          }
          await until(isNews);
        }
      };
      try {
        await Promise.race([killing(), working]);
      } finally {
        stopping.abort();
        for (const projector of projectors) projector.signal('SIGCONT');
      }
      await working;

      const [origin = ''] = origins;
      const key = parseVerifierKey((await (await fetch(`${origin}/tlog/key`)).text()).trim(), nodeCrypto.sha256);
      const roots = await rootsUpTo(origin, Math.max(...shown.values()));
      for (const note of shown.keys()) {
        expect(await verifyNote(parseNote(note), [key], nodeCrypto)).toEqual([key]);
        const { size, root } = parseCheckpoint(parseNote(note).text);
        expect([size, hex(root)]).toEqual([size, roots[size - 1]]);
      }
      expect(shown.size).toBeGreaterThanOrEqual(KILLS); // each was followed by a newer one
      const [oldest = ''] = shown.keys();
      const kept = join(folder, 'oldest.checkpoint');
      await writeFile(kept, oldest);
      const audited = await alcada(folder, ['audit', 'verify', '--checkpoint', kept]);
      expect(audited).toMatchObject({ code: 0, stdout: expect.stringContaining('Every rule holds.') });
    },
    120_000 + KILLS * 20_000,
  );

  it('are rebuilt under, live, without a moment without data', async () => {
    const known = await wholeList<Booking>(one, '/bookings');
    const ended = new AbortController();
    const rebuilt = alcada(folder, ['rebuild', 'bookings']).finally(() => ended.abort());
    while (!ended.signal.aborted) {
      for (const api of [one, other]) expect(await wholeList<Booking>(api, '/bookings')).toEqual(known);
      await sleep(50);
    }
    expect(await rebuilt).toMatchObject({ code: 0, stdout: 'Rebuilt: bookings.\n' });
    const booking = await book(other);
    await until(() => isListed(one, '/bookings', booking.id));
  });

  it('end at SIGTERM', async () => {
    const endings = await Promise.all([...apis, ...projectors].map((process) => process.end('SIGTERM')));
    for (const ending of endings) expect(ending).toEqual({ code: 0, signal: null });
  });
};

if (areServersUsed()) describe(title, cases);
else {
  tellNotGiven(title, 'EVENTSTORE_URL', 'MONGODB_URL');
  it.skip(`${title}: skipped, EVENTSTORE_URL and MONGODB_URL are not set`, () => undefined);
}
