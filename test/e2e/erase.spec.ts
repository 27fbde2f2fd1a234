import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { readConfig } from '#config';
import { eraseHolder, openErasure } from '../../apps/cli/src/erase/erase-holder.js';
import type { StoredEvent } from '#event-store';
import { tellSkipped, until } from '#testing';
import { closePorts, createLogger, dependenciesOn, openPorts, openPortsToRead } from '#runtime';
import type { RunningApi } from '../../apps/api/src/start.js';
import { Receiver } from '../../libs/outbox/src/testing/index.js';
import { agentAt, apiAt, BRUNO, PURCHASE, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import type { Order } from '../support/answers.js';
import { interceptedDocuments } from '../support/intercept.js';
import { bodyOf, book, buy, GOOD_CARD, grant, mandateNow, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { LATER, ownFolder, startService } from '../support/service.js';
import { swept } from '../support/sweep.js';
import { areServersUsed, storesOf } from '../support/stores.js';

/** A case that is about the files of a folder, and who holds them. */
const inFolder: typeof it | typeof it.skip = areServersUsed() ? it.skip : it;
if (areServersUsed()) tellSkipped('whose the data folder is', 'servers are shared');

const ZOE = { email: 'zoe.silveira@example.com', password: 'senha-da-zoe' } as const;
const NOTED = { cliente: 'Zoé Silveira, apartamento 12' };
const BUYER = { name: 'Zoé Silveira Braga', document: '852.963.741-00' };
const WHO = {
  travellers: [
    {
      givenName: 'Zoraide',
      familyName: 'Quitéria',
      birthDate: '1971-08-09',
      document: { type: 'RG', number: '77.012.345-X' },
    },
  ],
  contact: { email: 'zoraide@example.net', phone: '+55 91 98765-4321' },
};
const SAID = ['Zoraide', 'Quitéria', '1971-08-09', '77.012.345-X', 'zoraide@', '98765-4321'];
/** A card whose holder is asked: the order stays under way. */
const ASKED = { ...GOOD_CARD, cardNumber: '4000000000003220' };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const YARA = { email: 'yara.tapajos@example.com', password: 'senha-da-yara' } as const;
const YARA_BUYER = { name: 'Yara Tapajós', document: '741.852.963-11' };

const folder = ownFolder();
let interrupted: string;
let holder: string;
let token: string;
let paidOrder: string;
let cancellation: string;
let logBefore: readonly StoredEvent[];
let erased: Awaited<ReturnType<typeof alcada>>;
let webhooks: Awaited<ReturnType<typeof operated>>;

interface ShownWebhook {
  readonly id: string;
  readonly state: string;
}

/** What an operator sees and does of the only webhook. */
const operated = async () => {
  const run = async <Shown>(...args: readonly string[]): Promise<Shown> =>
    JSON.parse((await alcada(folder, ['webhooks', ...args, '--json'])).stdout) as Shown;
  const [listed] = await run<readonly ShownWebhook[]>('list');
  const id = listed?.id ?? '';
  const deliveries = await run<readonly object[]>('deliveries', id);
  const states = [await run<ShownWebhook>('pause', id), await run<ShownWebhook>('resume', id)];
  return {
    listed,
    deliveries,
    states: states.map(({ state }) => state),
    unknown: await alcada(folder, ['webhooks', 'pause', UNKNOWN]),
  };
};

/** The bytes of each file of the data folder; of servers, all that they hold, by what would be a file of its own. */
const files = async (): Promise<ReadonlyMap<string, string>> => {
  if (areServersUsed()) return heldByServers();
  const names = await readdir(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')] as const)),
  );
};

const heldByServers = async (): Promise<ReadonlyMap<string, string>> => {
  const { MONGODB_URL = '', MONGODB_DATABASE } = storesOf(folder);
  const [events, documents, readModels]: [string[], string[], string[]] = [[], [], []];
  const ports = await openPortsToRead(readConfig({ ...storesOf(folder), ...LATER }));
  for await (const page of ports.events.readPages(null)) events.push(JSON.stringify(page));
  await closePorts(ports);
  const client = new MongoClient(MONGODB_URL);
  for (const collection of await client.db(MONGODB_DATABASE).collections()) {
    const all = JSON.stringify(await collection.find().toArray());
    (/-v\d+-\d+$|^outbox$/.test(collection.collectionName) ? readModels : documents).push(all);
  }
  await client.close();
  const bytes = (texts: readonly string[]): string => Buffer.from(texts.join('\n')).toString('latin1');
  return new Map([
    ['events.db', bytes(events)],
    ['documents.db', bytes(documents)],
    ['read-models.db', bytes(readModels)],
  ]);
};

const filesWith = async (text: string): Promise<readonly string[]> =>
  [...(await files())]
    .filter(([, bytes]) => bytes.includes(Buffer.from(text).toString('latin1')))
    .map(([name]) => name);

const eventsOf = async (service: RunningApi): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for await (const event of service.dependencies.events.readAll(null)) events.push(event);
  return events;
};

beforeAll(async () => {
  const added = await alcada(folder, ['traveller', 'add', ZOE.email, '--json'], { input: ZOE.password });
  ({ holder } = JSON.parse(added.stdout) as { holder: string });
  const other = await alcada(folder, ['traveller', 'add', YARA.email, '--json'], { input: YARA.password });
  ({ holder: interrupted } = JSON.parse(other.stdout) as { holder: string });
  const service = await startService(folder);
  const scopes = [...PURCHASE, 'webhook:manage'];
  token = (await tokensFor(service.origin, { traveller: ZOE, scopes })).access_token;
  const zoe = apiAt(service.origin, token);
  const receiver = await Receiver.open();
  receiver.answer = () => 500; // so that deliveries wait
  const wanted = { url: `${receiver.url}?de=silveira`, description: 'Avisos da Silveira' };
  const { id: webhook } = bodyOf(await zoe.post<{ readonly id: string }>('/webhooks', wanted), 201);
  const mandate = await grant(zoe, 10 * TRIP_PRICE, { metadata: NOTED });
  const bought = await book(zoe, { ...TRIP, ...WHO, metadata: NOTED });
  // Of a request that died before it created anything: no event leads to it.
  await service.dependencies.metadata.keep(UNKNOWN, { holder, clientId: 'alcada-pilot' }, NOTED);
  const paid = { bookingId: bought.id, mandateId: mandate.id, buyer: BUYER, payment: GOOD_CARD, metadata: NOTED };
  const answer = await zoe.call<Order>('POST', '/orders', paid, { 'idempotency-key': 'compra-da-zoe' });
  paidOrder = bodyOf(answer, 201).id;
  const cancelled = await buy(zoe, await book(zoe), mandate);
  const way = `/orders/${cancelled.id}/cancellations`;
  const quoted = await zoe.call<{ id: string }>('POST', way, undefined, { 'idempotency-key': 'volta-da-zoe' });
  cancellation = bodyOf(quoted, 201).id;
  bodyOf(await zoe.call('POST', `${way}/${cancellation}/confirm`, undefined, { 'idempotency-key': 'sim-da-zoe' }), 200);
  const taken = await book(zoe);
  const { id: unordered } = await book(zoe);
  bodyOf(await zoe.call('PATCH', `/bookings/${unordered}`, WHO), 200);
  const waiting = { bookingId: taken.id, mandateId: mandate.id, buyer: BUYER, payment: ASKED, ...WHO };
  bodyOf(await zoe.post('/orders', waiting), 402);
  const yara = await agentAt(service.origin, { traveller: YARA });
  const theirs = await grant(yara, TRIP_PRICE);
  const { id: bookingId } = await book(yara);
  bodyOf(await yara.post('/orders', { bookingId, mandateId: theirs.id, buyer: YARA_BUYER, payment: GOOD_CARD }), 201);
  const bruno = await agentAt(service.origin, { traveller: BRUNO });
  await buy(bruno, await book(bruno), await grant(bruno, TRIP_PRICE));
  const isWaiting = async () => {
    const { items } = bodyOf(
      await zoe.get<{ readonly items: readonly { readonly type: string }[] }>(`/webhooks/${webhook}/deliveries`),
      200,
    );
    return items.some(({ type }) => type === 'order.paid');
  };
  await until(isWaiting);
  logBefore = await eventsOf(service);
  await service.stop();
  await receiver.close();
  webhooks = await operated();
  erased = await alcada(folder, ['erase', '--holder', holder, '--json']);
});

describe('alcada webhooks', () => {
  it('shows each with what waits for it, by ids and its host alone, and pauses and resumes it', () => {
    const { listed, deliveries, states, unknown } = webhooks;
    expect(listed).toMatchObject({
      holder,
      clientId: 'alcada-pilot',
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
    expect(listed?.state).toMatch(/^active, nothing has arrived since \d{4}-/);
    expect(JSON.stringify(listed)).not.toMatch(/silveira|whsec_|sealed/i);
    expect(deliveries).toContainEqual(expect.objectContaining({ type: 'order.paid', status: 'pending' }));
    expect(states).toEqual(['paused', 'active']);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining(`there is no webhook ${UNKNOWN}`) });
  });
});

describe('alcada erase', () => {
  it('says what it has removed, and settles the order that was under way', () => {
    expect(erased).toMatchObject({ code: 0, stderr: expect.stringContaining('Reading the log: 100 %') });
    expect(JSON.parse(erased.stdout)).toEqual({
      holder,
      account: true,
      sessions: 1,
      consents: 0,
      grants: 1,
      agents: 1,
      ordersSettled: 1,
      buyers: 2,
      travellers: 4,
      purposes: 0,
      notices: expect.any(Number), // as many as there was time for
      metadata: 4,
      webhooks: 1,
      checkouts: 0,
      keptCards: 0,
      answers: 3,
      isConfigured: false,
    });
  });

  it('leaves nothing in any file from which anybody could learn who it was, free pages included', async () => {
    for (const datum of [ZOE.email, BUYER.name, BUYER.document, 'Silveira', 'de=silveira', 'apartamento', ...SAID])
      expect(await filesWith(datum)).toEqual([]);
    // The id itself stays in the log, which names nobody by it, and in what is folded from the log.
    expect(await filesWith(holder)).not.toContain('documents.db');
    expect(await filesWith(cancellation)).not.toContain('documents.db');
    expect(await filesWith(BRUNO.email)).toContain('documents.db');
  });

  it('leaves a log whose rules and stories hold, and that shows nobody any more', async () => {
    const story = await alcada(folder, ['audit', 'order', paidOrder]);
    expect(story).toMatchObject({ code: 0, stdout: expect.stringContaining(`traveller  [apagado] (${holder})\n`) });
    expect(story.stdout).toContain('verdict  sound');
    const all = await alcada(folder, ['audit', 'holder', holder]);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/\[apagado\][^]* 2 paid, [^]* 1 failed\n/) });
    expect(await alcada(folder, ['audit', 'verify'])).toMatchObject({ code: 0 });
  });

  it('finds nothing more the second time, and says so to a person', async () => {
    const again = await alcada(folder, ['erase', '--holder', holder]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^Erased: \S+\n {2}account {7}there was none\n {2}logins {8}0 ended\n/);
  });

  it.each([
    ['somebody unknown', ['--holder', UNKNOWN], 1, 'nobody has the holder'],
    ['what is no id', ['--holder', ZOE.email], 1, "is no holder's id"],
    ['nobody at all', [], 2, "required option '--holder <id>' not specified"],
  ])('refuses %s', async (_, args, code, why) => {
    expect(await alcada(folder, ['erase', ...args])).toMatchObject({ code, stderr: expect.stringContaining(why) });
  });

  it('says that the configuration names the person, whom the next start lets in again', async () => {
    const { stdout } = await alcada(folder, ['traveller', 'list', '--json']);
    const ana = (JSON.parse(stdout) as readonly { readonly holder: string }[])[0]?.holder ?? '';
    const shown = await alcada(folder, ['erase', '--holder', ana]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('DEMO_TRAVELLERS names them') });
  });

  inFolder('makes nothing in a folder that has no data', async () => {
    const nowhere = await alcada(join(folder, 'nowhere'), ['erase', '--holder', holder]);
    expect(nowhere).toMatchObject({ code: 78, stderr: expect.stringContaining('is DATA_DIR right?') });
    expect(await readdir(folder)).not.toContain('nowhere');
  });

  it('goes on wherever it was interrupted', async () => {
    const config = readConfig({ PASSWORD_COST: '10', ...storesOf(folder), ...LATER });
    for (const deletions of swept({
      short: [0, 4],
      middle: [0, 1, 2, 3, 4, 5, 6, 7],
      full: [0, 1, 2, 3, 4, 5, 6, 7],
    })) {
      const ports = await openPorts(config);
      let left = deletions;
      const documents = interceptedDocuments(ports.documents, (call, work) => {
        if (call.startsWith('delete') && left-- === 0) throw new Error('killed');
        return work();
      });
      const dependencies = await dependenciesOn({ ...ports, documents }, config, createLogger('silent'));
      const erasing = eraseHolder(interrupted, await openErasure(dependencies), () => undefined);
      await expect(erasing).rejects.toThrow('killed');
      await closePorts(ports);
    }
    expect(await alcada(folder, ['erase', '--holder', interrupted])).toMatchObject({ code: 0 });
    for (const datum of [YARA.email, YARA_BUYER.name, YARA_BUYER.document]) expect(await filesWith(datum)).toEqual([]);
    expect(await filesWith(interrupted)).not.toContain('documents.db');
  });

  describe('and the service after it', () => {
    let service: RunningApi;
    beforeAll(async () => {
      service = await startService(folder);
    });
    afterAll(() => service.stop());

    it('has everything in its log that stood there, and then what ended', async () => {
      const log = await eventsOf(service);
      expect(log.slice(0, logBefore.length)).toEqual(logBefore);
      expect(log.slice(logBefore.length).map(({ type }) => type)).toEqual(
        expect.arrayContaining(['AgentRevoked', 'MandateRevoked', 'MandateReleased', 'OrderFailed', 'MandateClosed']),
      );
    });

    it('lets nobody act for them any more, and everybody else go on', async () => {
      expect(await apiAt(service.origin, token).get('/bookings')).toMatchObject({ status: 401 });
      await expect(tokensFor(service.origin, { traveller: ZOE })).rejects.toThrow();
      const bruno = await agentAt(service.origin, { traveller: BRUNO });
      const theirs = await grant(bruno, TRIP_PRICE);
      await buy(bruno, await book(bruno), theirs);
      expect(await mandateNow(bruno, theirs)).toMatchObject({ status: 'exhausted' });
    });

    inFolder('is to be stopped before anybody is erased', async () => {
      const beside = await alcada(folder, ['erase', '--holder', holder]);
      expect(beside).toMatchObject({ code: 78, stderr: expect.stringContaining('stop it first') });
    });
  });
});
