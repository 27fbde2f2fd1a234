import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Histories } from '#portal';
import { Integrities } from '#audit';
import type { EventStore, StoredEvent } from '#event-store';
import { nextTurn } from '#kernel';
import { nodeCrypto } from '#transparency';
import {
  base64url,
  type BundleReport,
  decodeBundle,
  entriesPath,
  fromUtf8,
  markOf,
  parseCheckpoint,
  parseNote,
  parseProof,
  parseProvenEvent,
  parseVerifierKey,
  policyOf,
  type Trust,
  utf8,
  verifyBundle,
  verifyProvenEvent,
  widthIn,
} from '#verifier';
import { TestLog } from '../../libs/verifier/src/testing/index.js';
import type { List, Mandate, Order } from '../support/answers.js';
import { ANA, BRUNO, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { loggedIn } from '../support/challenge.js';
import { bodyOf, book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { SettingOnFiles } from '../support/setting.js';

interface Chained {
  readonly revision: number;
  readonly hash: string;
  readonly previousHash: string;
  readonly logIndex: number | null;
}

const setting = new SettingOnFiles({ TLOG_INTERVAL: '0.05' });
let mandate: Mandate;
let order: Order;
let trust: Trust;
let key: string;
let holder: string;
beforeAll(async () => {
  mandate = await grant(setting.ana, TRIP_PRICE);
  order = await buy(setting.ana, await book(setting.ana), mandate);
  await sealed(setting.service);
  for await (const { data } of setting.service.dependencies.events.readStream(`mandate-${mandate.id}`)) {
    if (typeof data['holder'] === 'string') holder = data['holder'];
  }
  key = (await (await fetch(`${setting.origin}/tlog/key`)).text()).trim();
  trust = { crypto: nodeCrypto, policy: policyOf(parseVerifierKey(key, nodeCrypto.sha256)) };
});

describe('the events of a mandate', () => {
  it('have the hashes that chain them, and their places in the transparency log', async () => {
    const { items } = bodyOf(await setting.ana.get<List<Chained>>(`/mandates/${mandate.id}/events`), 200);
    expect(items.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect(items.map(({ previousHash }) => previousHash)).toEqual([
      '0'.repeat(64),
      ...items.slice(0, -1).map(({ hash }) => hash),
    ]);
    const indexes = items.map(({ logIndex }) => logIndex ?? NaN);
    expect(indexes).toEqual([...indexes].sort((one, other) => one - other));
    expect(indexes.every(Number.isSafeInteger)).toBe(true);
  });
});

describe("the proof of an order's receipt", () => {
  const textOf = async (id: string) => {
    const { access_token: token } = await tokensFor(setting.origin);
    const headers = { authorization: `Bearer ${token}` };
    return fetch(`${setting.origin}/api/v1/orders/${id}/receipt/proof`, { headers });
  };

  it('proves with the key alone that the payment is in the log', async () => {
    const answer = await textOf(order.id);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const report = await verifyProvenEvent(new Uint8Array(await answer.arrayBuffer()), trust);
    expect(report).toMatchObject({ verdict: 'sound', streams: [{ stream: `order-${order.id}` }] });
  });

  it('is for the traveller alone, and only of an order that is paid', async () => {
    const path = `/orders/${order.id}/receipt/proof`;
    expect(await setting.bruno.get(path)).toMatchObject({ status: 404, body: { error: 'ticket_not_found' } });
    expect(await setting.ana.get(path.replace(order.id, mandate.id))).toMatchObject({ status: 404 });
    expect(await setting.anyone.get(path)).toMatchObject({ status: 401 });
  });

  it('is not there yet while the payment is not sealed', async () => {
    const { log } = setting.service.dependencies.transparency;
    const indexOf = log.indexOf.bind(log);
    log.indexOf = () => Promise.resolve(null);
    const { status, headers, body } = await setting.ana.get(`/orders/${order.id}/receipt/proof`);
    expect([status, headers.get('retry-after'), body]).toMatchObject([503, '1', { error: 'service_unavailable' }]);
    log.indexOf = indexOf;
  });
});

describe('whether a stream is intact', () => {
  /** What is said of the mandate's stream as `changed` shows it, and from which revisions on it was read for that. */
  const looking = (changed = (event: StoredEvent) => event) => {
    const { events, transparency } = setting.service.dependencies;
    const read: number[] = [];
    const store: EventStore = Object.create(events) as EventStore;
    store.readStream = async function* (stream, from = 0) {
      read.push(from);
      for await (const event of events.readStream(stream, from)) yield changed(event);
    };
    return { integrities: new Integrities({ events: store, log: transparency.log }), read };
  };

  it('is found by reading each event once, however often and at once somebody looks', async () => {
    const { id } = await grant(setting.ana, TRIP_PRICE);
    const { integrities, read } = looking();
    const seen = await Promise.all([1, 2, 3].map(() => integrities.of(`mandate-${id}`)));
    expect(seen.map(({ isIntact, events }) => [isIntact, events])).toEqual([1, 2, 3].map(() => [true, 1]));
    await setting.ana.call('DELETE', `/mandates/${id}`);
    await sealed(setting.service);
    expect(await integrities.of(`mandate-${id}`)).toMatchObject({ isIntact: true, events: 2, sealed: 2 });
    expect(read).toEqual([0, 1, 1, 1]);
  });

  it('stays denied once an event was found that does not belong there', async () => {
    const { integrities } = looking((event) => (event.revision === 1 ? { ...event, data: {} } : event));
    for (const _ of [1, 2])
      expect(await integrities.of(`mandate-${mandate.id}`)).toMatchObject({ isIntact: false, events: 3, sealed: 3 });
  });
});

const publicEntries = async (): Promise<readonly string[]> => {
  const read = async (path: string): Promise<Uint8Array> => {
    const answer = await fetch(`${setting.origin}/tlog/${path}`);
    expect(answer.status).toBe(200);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const { size } = parseCheckpoint(parseNote(fromUtf8(await read('checkpoint'))).text);
  const entries: string[] = [];
  for (let index = 0; widthIn(size, 0, index) > 0; index += 1)
    entries.push(...decodeBundle(await read(entriesPath({ index, width: widthIn(size, 0, index) }))).map(fromUtf8));
  return entries;
};

/** The attacker of SECURITY.md, The log: who knows the catalogue, everything below /tlog and one purchase looks for flights and other purchases. */
describe('the log, read by somebody who knows one purchase', () => {
  const knownPurchase = async () => {
    const { access_token: token } = await tokensFor(setting.origin);
    const headers = { authorization: `Bearer ${token}` };
    const proof = await fetch(`${setting.origin}/api/v1/orders/${order.id}/receipt/proof`, { headers });
    return parseProvenEvent(fromUtf8(parseProof(await proof.text()).extra ?? new Uint8Array()));
  };
  const marksIn = (entries: readonly string[]) => entries.map((entry) => entry.split('\n')[1] ?? '');

  beforeAll(async () => {
    await buy(setting.ana, await book(setting.ana), await grant(setting.ana, TRIP_PRICE)); // the one that he would like to find
    await sealed(setting.service);
  });

  it('says of no two events that they are of one stream, nor the place of any in its own', async () => {
    const entries = await publicEntries();
    expect(entries.filter((entry) => !/^alcada\.event\/v2\n[\w-]{43}\n[0-9a-f]{64}\n$/.test(entry))).toEqual([]);
    expect(new Set(marksIn(entries)).size).toBe(entries.length);
    expect(new Set(entries.map((entry) => entry.split('\n')[2])).size).toBe(entries.length);
  });

  it('has no mark that can be made of what is public or known', async () => {
    const known = await knownPurchase();
    const streams: string[] = [];
    for await (const { stream } of setting.service.dependencies.events.readAll(null)) streams.push(stream);
    const flights = streams.filter((stream) => /^(?:flight|timetable)-/.test(stream)); // the catalogue is public
    expect(flights.length).toBeGreaterThan(10);
    const texts = [
      ...new Set(flights),
      ...[order.id, mandate.id].flatMap((id) => [`order-${id}`, `mandate-${id}`, id]),
      known.stream,
      known.metadata.hash,
      known.previousHash,
      ...('mark' in known ? [known.mark] : []),
      key,
      '',
    ];
    const keys = texts.flatMap((text) => [utf8(text).subarray(0, 64), nodeCrypto.sha256(utf8(text))]);
    const made = new Set(
      keys.flatMap((one) => Array.from({ length: 20 }, (_, revision) => markOf(nodeCrypto.sha256, one, revision))),
    );
    const direct = new Set(keys.map(base64url));
    expect(marksIn(await publicEntries()).filter((mark) => made.has(mark) || direct.has(mark))).toEqual([]);
  });

  it('shows him of that purchase what he knows, and of no other stream anything', async () => {
    const known = await knownPurchase();
    const text = JSON.stringify(known);
    const { events, transparency } = setting.service.dependencies;
    const found = new Set<string>();
    for await (const event of events.readAll(null)) {
      const mark = markOf(nodeCrypto.sha256, transparency.pseudonyms.keyOf(event.stream), event.revision);
      if ([mark, event.metadata.hash].some((part) => text.includes(part))) found.add(event.stream);
      expect(text).not.toContain(base64url(transparency.pseudonyms.keyOf(event.stream)));
      expect(text).not.toContain(transparency.pseudonyms.of(event.stream));
    }
    expect([...found]).toEqual([`order-${order.id}`]);
  });
});

describe('alcada audit export', () => {
  const exported = async (...about: readonly string[]) => {
    const file = join(setting.folder, 'bundle.jsonl');
    expect(await alcada(setting.folder, ['audit', 'export', ...about, '--out', file])).toMatchObject({
      code: 0,
      stderr: '',
    });
    return file;
  };
  const verified = async (...args: readonly string[]) => {
    const { code, stdout } = await alcada('nowhere', ['audit', 'verify', ...args, '--json']);
    return { code, ...(JSON.parse(stdout) as BundleReport) };
  };

  it.each([
    ['mandate', () => mandate.id, 10],
    ['order', () => order.id, 10],
    ['holder', () => holder, 10],
  ] as const)('writes a bundle about a %s, beside the server, that is sound and whole', async (subject, id, least) => {
    const file = await exported(`--${subject}`, id());
    const found = await verified('--bundle', file, '--key', key, '--log', `${setting.origin}/tlog`);
    expect(found).toMatchObject({ code: 0, verdict: 'sound', about: { [subject]: id() }, breaches: [] });
    expect(found.proven).toEqual(['signed', 'logged', 'chained', 'rules', 'whole']);
    expect(found.events).toBeGreaterThanOrEqual(least);
  });

  it('writes the log from a time on, which is no less sound', async () => {
    const found = await verified('--bundle', await exported('--since', '2026-01-01'), '--key', key);
    expect(found).toMatchObject({ code: 0, verdict: 'sound' });
    expect(found.checkpoint?.size).toBe(found.events);
  });

  it('is verified as people read it: what is proven, and what is not', async () => {
    const file = await exported('--mandate', mandate.id);
    const { code, stdout } = await alcada('nowhere', ['audit', 'verify', '--bundle', file, '--key', key]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Sound\.[^]*\nProven:[^]*\nNot proven:[^]*Created/)]);
    await writeFile(file, (await readFile(file, 'utf8')).replace(`"amount":${TRIP_PRICE}`, '"amount":1'));
    const broken = await alcada('nowhere', ['audit', 'verify', '--bundle', file, '--key', key]);
    expect([broken.code, broken.stdout]).toEqual([1, expect.stringMatching(/^Broken: [^]*chain/)]);
  });

  it('is read line by line where a text has a separator of lines in it', async () => {
    const at = '2026-01-31T12:00:00.000Z';
    const data = { auditor: 'a\u2028b\rc', page: 'home', subject: null, viewedAt: at };
    const log = new TestLog().write({ stream: 'audit-2026-01-31', type: 'AuditPageViewed', data, at });
    const file = join(setting.folder, 'separated.jsonl');
    await writeFile(file, `${(await log.bundle({ since: at }, () => true)).join('\n')}\n`);
    expect(await verified('--bundle', file, '--key', log.vkey)).toMatchObject({ verdict: 'sound', events: 1 });
  });

  it('cannot write on the terminal of who verifies it', async () => {
    const file = await exported('--mandate', mandate.id);
    const cleared = JSON.stringify('\u001b[2J\u009b1mSound.').slice(1, -1);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(mandate.id, cleared));
    const { code, stdout, stderr } = await alcada('nowhere', ['audit', 'verify', '--bundle', file, '--key', key]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Broken: [^]*\\u001b\[2J/)]);
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('takes the key from the reader alone, and one subject', async () => {
    const file = await exported('--mandate', mandate.id);
    const without = await alcada('nowhere', ['audit', 'verify', '--bundle', file]);
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('--key')]);
    const two = ['audit', 'export', '--mandate', 'a', '--order', 'b', '--out', file];
    expect(await alcada(setting.folder, two)).toMatchObject({ code: 2 });
    const none = ['audit', 'export', '--mandate', order.id, '--out', file];
    expect(await alcada(setting.folder, none)).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing') });
  });
});

describe('proofs of many events', () => {
  it('hash what they have in common once, and leave the loop to others', async () => {
    const { log } = setting.service.dependencies.transparency;
    const size = (await log.sealed())?.size ?? 0;
    const read = log.readHash(size);
    expect(read(1, 0)).toBe(read(1, 0));
    const prove = log.inclusions(size);
    const others = { turns: 0 };
    void nextTurn().then(() => (others.turns += 1));
    for (let round = 0; round < 50_000 && others.turns === 0; round += 1) await prove(round % size);
    expect(others.turns).toBe(1);
  });
});

describe("the account's pages", () => {
  it.each([
    ['mandatos', 'mandate', () => mandate.id],
    ['pedidos', 'order', () => order.id],
  ] as const)(
    'say of /conta/%s what the history rests on, and hand out a bundle that is sound',
    async (part, subject, id) => {
      const path = `/conta/${part}/${id()}`;
      const { page, browser } = await loggedIn(setting.origin + path, ANA);
      expect(page.html).toContain('Histórico íntegro');
      expect(page.html).toMatch(/encadeados e no registro público[^]*Ponto de controle/);
      const { html } = await browser.open(`${setting.origin}${path}/historico.jsonl`);
      const report = await verifyBundle([Buffer.from(html)], trust);
      expect(report).toMatchObject({ verdict: 'sound', about: { [subject]: id() } });
    },
  );

  it('make a bundle as it is read, and hold a few lines of what nobody reads', async () => {
    const booking = await book(setting.ana);
    for (let passengers = 1; passengers <= 50; passengers += 1)
      bodyOf(await setting.ana.call('PATCH', `/bookings/${booking.id}`, { passengers: 1 + (passengers % 2) }), 200);
    const { id } = await buy(setting.ana, booking, await grant(setting.ana, TRIP_PRICE));
    await sealed(setting.service);
    const { events, transparency } = setting.service.dependencies;
    let read = 0;
    const counting: EventStore = Object.create(events) as EventStore;
    counting.readStream = async function* (stream, from) {
      for await (const event of events.readStream(stream, from)) {
        read += 1;
        yield event;
      }
    };
    const bundle = (await new Histories(counting, transparency.log).bundle({ order: id }, holder)).getStream();
    const unread = read;
    const report = await verifyBundle([await buffer(bundle)], trust);
    expect(report).toMatchObject({ verdict: 'sound', about: { order: id } });
    expect(report.events).toBeGreaterThan(50);
    // All of them are read to know how many they are.
    expect(unread).toBeLessThan(1.5 * report.events);
    expect(read).toBeGreaterThan(2 * report.events);
  });

  it('hand out nothing of somebody else', async () => {
    const path = `/conta/mandatos/${mandate.id}/historico.jsonl`;
    const { page } = await loggedIn(setting.origin + path, BRUNO);
    expect(page.html).toContain('Página não encontrada');
  });
});
