import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#config';
import { LEDGER } from '#checkout';
import { openEmbeddedPorts, openPorts, type Ports } from '#runtime';
import { tellNotGiven } from '#testing';
import type { AuditReport } from '../../apps/cli/src/audit/verify.command.js';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt, ANA, BRUNO } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { type Books, readBooks } from '../support/books.js';
import { findings } from '../support/findings.js';
import { bodyOf, book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { LATER, letPass, ownFolder, settled, startService } from '../support/service.js';
import { areServersUsed, storesOf } from '../support/stores.js';
import { untilSettled } from '../chaos/settled.js';
import { EARLIER, type Earlier, EARLIER_KEY, soldTo, unpackEarlier } from './earlier.js';

/** Longer than any mandate or challenge of the folder lives. */
const LONG_AFTER = 8 * 86_400_000;
/** Also where the environment names servers. */
const ON_FILES = {
  EVENTSTORE_URL: '',
  MONGODB_URL: '',
  KEY_ENCRYPTION_KEY: EARLIER_KEY,
  RECOVERY_PAUSE_SECONDS: '0.05',
};

const portsOn = (files: string): Promise<Ports> =>
  openEmbeddedPorts(readConfig({ ...LATER, ...ON_FILES, DATA_DIR: files }));
const close = async ({ events, documents, readModelStore }: Ports): Promise<void> => {
  for (const store of [readModelStore, documents, events]) await store.close();
};

/** The books once no checkout is open, and every mandate, whose time is over, is closed in its delegation. */
const settledBooks = async ({ dependencies: { events, documents } }: RunningApi): Promise<Books> => {
  for (;;) {
    await untilSettled(events);
    const books = await readBooks(events, documents);
    const count = (wanted: string) => books.events.filter(({ type }) => type === wanted).length;
    if (count('MandateClosed') === count('MandateOpened')) return books;
    await sleep(50);
  }
};

/** SHA-256 of the log as it stands, up to so many events: of streams, types, data and metadata. */
const digest = async ({ dependencies: { events } }: RunningApi, first = Infinity) => {
  const hash = createHash('sha256');
  let count = 0;
  for await (const page of events.readPages(null))
    for (const { stream, type, data, metadata } of page) {
      if (count === first) return { count, sha256: hash.digest('hex') };
      hash.update([stream, type, data, metadata].join('\n'));
      count += 1;
    }
  return { count, sha256: hash.digest('hex') };
};

describe.each(EARLIER)('a data folder that commit %s wrote', (commit) => {
  const folder = ownFolder(() => service.stop());
  let earlier: Earlier;
  let service: RunningApi;
  const start = async () => {
    service = await startService(folder, { ...ON_FILES, DATA_DIR: folder });
  };
  beforeAll(async () => {
    earlier = await unpackEarlier(commit, folder);
    await start();
  });

  it('is served with all that was sold, and goes on', async () => {
    const written = await digest(service);
    for (const [traveller, { orders, mandates }] of [
      [ANA, earlier.ana],
      [BRUNO, earlier.bruno],
    ] as const) {
      const agent = await agentAt(service.origin, { traveller });
      const now = await soldTo(agent);
      // What waited for its traveller may have lapsed by now.
      for (const order of orders.filter(({ status }) => status !== 'pending')) expect(now.orders).toContainEqual(order);
      expect(now.orders).toHaveLength(orders.length);
      expect(now.mandates).toEqual(mandates);
      const paid = orders.filter(({ status }) => status === 'paid');
      for (const { id } of paid) bodyOf(await agent.get(`/orders/${id}/receipt`), 200);
      const fresh = await buy(agent, await book(agent), await grant(agent, TRIP_PRICE));
      expect(paid.map(({ ticketCode }) => ticketCode)).not.toContain(fresh.ticketCode);
    }
    expect(await digest(service, written.count)).toEqual(written);
  });

  /** `alcada audit verify` on the folder, where nothing runs. */
  const audited = async (...options: readonly string[]) => {
    const kept = join(folder, 'kept.checkpoint');
    await writeFile(kept, earlier.checkpoint ?? '');
    const against = earlier.checkpoint === null ? [] : ['--checkpoint', kept];
    const { code, stdout } = await alcada(folder, ['audit', 'verify', '--json', ...against, ...options], {
      environment: { ...LATER, ...ON_FILES, DATA_DIR: folder },
    });
    return { code, report: JSON.parse(stdout) as AuditReport };
  };

  it('verifies, with its read models, and starts again', async () => {
    await settled(service);
    await service.stop();
    const { report } = await audited();
    expect(report.breaches).toEqual([]);
    expect(report.readModels?.compared).toBeGreaterThan(50);
    await start();
  });

  it('ends what was under way in it', async () => {
    letPass(service, LONG_AFTER);
    expect(findings(await settledBooks(service))).toEqual([]);
    await service.stop();
    expect(await audited('--no-read-models')).toMatchObject({ code: 0, report: { breaches: [], open: [] } });
    await start();
  });
});

const title = 'the same events and ledger on servers';
const cases = () => {
  const folder = ownFolder(() => over.stop());
  let earlier: Earlier;
  let over: RunningApi;
  beforeAll(async () => {
    earlier = await unpackEarlier(EARLIER[0], folder);
    const [from, to] = [await portsOn(folder), await openPorts(readConfig({ ...LATER, ...storesOf(folder) }))];
    for await (const page of from.events.readPages(null))
      for (const { stream, revision, type, data, metadata } of page) {
        const { eventId } = JSON.parse(metadata) as { readonly eventId: string };
        await to.events.append(stream, revision - 1, [{ id: eventId, type, data, metadata }]);
      }
    await from.documents.prepare(LEDGER);
    await to.documents.prepare(LEDGER);
    for (const { id, body } of await from.documents.scan<object>(LEDGER.name, null, 1_000))
      await to.documents.insert(LEDGER.name, id, body);
    await Promise.all([close(from), close(to)]);
    over = await startService(folder, { RECOVERY_PAUSE_SECONDS: '0.05' });
  }, 120_000);

  it('are gone on with, settled and verified', async () => {
    const agent = await agentAt(over.origin);
    await buy(agent, await book(agent), await grant(agent, TRIP_PRICE));
    letPass(over, LONG_AFTER);
    const books = await settledBooks(over);
    expect(findings(books)).toEqual([]);
    const paid = [...earlier.ana.orders, ...earlier.bruno.orders].filter(({ status }) => status === 'paid');
    for (const { id } of paid) expect(books.ledger.get(id)?.status).toBe('captured');
  });
};

if (areServersUsed()) describe(title, cases);
else {
  tellNotGiven(title, 'EVENTSTORE_URL', 'MONGODB_URL');
  it.skip(`${title}: skipped, EVENTSTORE_URL and MONGODB_URL are not set`, () => undefined);
}
