import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#config';
import { LEDGER, REFUNDS } from '#checkout';
import { openPorts } from '#runtime';
import type { Answer } from '#agent';
import { tripOf } from '../bench/flights.js';
import { LightApi } from '../bench/light-api.js';
import { type Server, startProjector, startServer, withFolder } from '../bench/server.js';
import { withTree } from '../bench/tree.js';
import { tokensFor } from '../support/agent.js';
import type { Booking, Mandate, Order, Refused } from '../support/answers.js';
import { alcada } from '../support/alcada.js';
import { readBooks } from '../support/books.js';
import { findings } from '../support/findings.js';
import { post } from '../support/keyed.js';
import { bodyOf, brl, GOOD_CARD, wholeList } from '../support/purchase.js';

const BUYERS = 16;
/** How long (ms) each step of the deploy lasts under load. */
const STEP = 8_000;
/** How long (ms) lists may take to show what was sold, once nobody buys any more. */
const SHOWN = 30_000;
/** What a mandate pays for; more than all orders of a run. */
const ENOUGH = 10_000_000_000;
/** What is answered while a call whose answer was lost still runs. */
const UNDER_WAY = ['idempotency_in_flight', 'order_in_progress'];

type Balancer = Set<LightApi>;

/** Buyers that say everything again, with the same key, to another process, until it is done. */
const buying = (balancer: Balancer) => {
  const [sold, failures, statuses] = [new Map<string, string>(), [] as string[], new Map<number, number>()];
  let [isOver, turn] = [false, 0];
  const insist = async <Body>(path: string, body: object): Promise<Body> => {
    const key = randomUUID();
    for (;;) {
      const all = [...balancer];
      const api = all[(turn += 1) % all.length];
      const call: Promise<Answer<Body & Partial<Refused>>> | undefined = api && post(api, path, body, key);
      const answer = (await call?.catch(() => null)) ?? null;
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (answer?.status === 201) return answer.body;
      if (![0, 503].includes(status) && !UNDER_WAY.includes(answer?.body.error ?? ''))
        throw new Error(`${path}: ${status} ${JSON.stringify(answer?.body)}`);
      await sleep(50);
    }
  };
  const buyer = async (place: number): Promise<void> => {
    const mandate = await insist<Mandate>('/mandates', { limit: brl(ENOUGH) });
    for (let n = place; !isOver; n += BUYERS) {
      const booking = await insist<Booking>('/bookings', tripOf(n));
      const order = { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD };
      sold.set((await insist<Order>('/orders', order)).id, booking.id);
    }
  };
  const all = Array.from({ length: BUYERS }, (_, place) =>
    buyer(place).catch((error: unknown) => {
      failures.push(String(error));
    }),
  );
  return {
    sold,
    statuses,
    end: async (): Promise<readonly string[]> => {
      isOver = true;
      await Promise.all(all);
      return failures;
    },
  };
};

const isReady = async ({ origin }: Server): Promise<boolean> =>
  (await fetch(`${origin}/api/v1/health/ready`).catch(() => null))?.status === 200;

/** The rolling deploy of docs/deploy.md from a commit to this one and back; returns whether nothing was lost. */
export const deploy = async (commit: string): Promise<boolean> => {
  const { EVENTSTORE_URL, MONGODB_URL } = process.env;
  if (!EVENTSTORE_URL || !MONGODB_URL) throw new Error('not run, for want of EVENTSTORE_URL and MONGODB_URL');
  const name = `deploy-${randomUUID().slice(0, 8)}`;
  const stores = { EVENTSTORE_URL, MONGODB_URL, EVENTSTORE_NAMESPACE: name, MONGODB_DATABASE: `alcada-${name}` };
  let isSound = false;
  await withTree(commit, (old) =>
    withFolder(async (folder) => {
      const environment = { ...stores, PASSWORD_COST: '10' };
      let token: string | null = null;
      const balancer: Balancer = new Set();
      const started = async (tree: string) => {
        const projector = await startProjector(folder, environment, tree);
        const server = await startServer(folder, environment, tree);
        while (!(await isReady(server))) await sleep(100);
        token ??= (await tokensFor(server.origin)).access_token;
        const api = new LightApi(`${server.origin}/api/v1`, token);
        balancer.add(api);
        return {
          api,
          stop: async () => {
            balancer.delete(api);
            await server.stop();
            await projector.stop();
            api.close();
          },
        };
      };
      let running = await started(old);
      const buyers = buying(balancer);
      const { sold, statuses } = buyers;
      await sleep(STEP);
      for (const tree of ['.', old, '.']) {
        const before = sold.size;
        const next = await started(tree);
        await sleep(STEP);
        await running.stop();
        running = next;
        await sleep(STEP);
        console.error(`${tree === '.' ? 'this commit' : commit} took over; ${sold.size - before} orders meanwhile`);
      }
      const failures = await buyers.end();
      const lost = async (): Promise<readonly string[]> => {
        const listed = new Set((await wholeList<Order>(running.api, '/orders')).map(({ id }) => id));
        return [...sold.keys()].filter((id) => !listed.has(id));
      };
      const deadline = performance.now() + SHOWN;
      while ((await lost()).length > 0 && performance.now() < deadline) await sleep(250);
      const found = [...failures, ...(await lost()).map((id) => `order ${id} is not listed`)];
      for (const id of sold.keys()) bodyOf(await running.api.get(`/orders/${id}/receipt`), 200);
      await running.stop();
      const ports = await openPorts(readConfig(stores));
      for (const rows of [LEDGER, REFUNDS]) await ports.documents.prepare(rows);
      const books = await readBooks(ports.events, ports.documents);
      found.push(...findings(books));
      const paid = books.events.filter(({ type }) => type === 'OrderPaid').length;
      if (paid !== sold.size) found.push(`${paid} orders are paid, ${sold.size} were answered`);
      for (const store of [ports.readModelStore, ports.documents, ports.events]) await store.close();
      const audit = await alcada(folder, ['audit', 'verify'], { environment: stores });
      if (audit.code === 0) console.log(audit.stdout.trim());
      else found.push(audit.stdout + audit.stderr);
      console.log(
        `${sold.size} orders, answers ${JSON.stringify(Object.fromEntries(statuses))}, ${found.length} findings`,
      );
      for (const finding of found.slice(0, 20)) console.log(finding);
      isSound = found.length === 0;
    }),
  );
  return isSound;
};
