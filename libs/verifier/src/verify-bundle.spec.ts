import type { Json } from './audited-event.js';
import { type BundledEvent, parseEvent, parseHeader } from './bundle.js';
import { base64, fromBase64, utf8 } from './bytes.js';
import { COSIGNATURE, formatVerifierKey, verifierKey } from './tlog/note.js';
import { parsePolicy, policyOf } from './tlog/policy.js';
import { formatProof } from './tlog/proof.js';
import { fileOf, isOfStory, purchaseStory, STORY, testCrypto, TestLog } from './testing/index.js';
import { type Trust, verifyBundle, verifyProvenEvent } from './verify-bundle.js';

const log = purchaseStory();
const trust: Trust = { crypto: testCrypto, policy: policyOf(log.key) };
const about = { mandate: STORY.mandateId };
const sound = await log.bundle(about, isOfStory);

/** What is found in a bundle: the rule and where it does not hold. */
const found = async (lines: readonly string[], given: Trust = trust): Promise<readonly string[]> =>
  (await verifyBundle(fileOf(lines), given)).breaches.map(({ rule, stream, revision }) => {
    return [rule, stream.replace(/-.*/, ''), revision].filter((part) => part !== null).join(' ');
  });

/** The bundle with one of its events changed, as somebody would who knows nothing of hashes. */
const edited = (stream: string, revision: number, change: (event: BundledEvent) => object): readonly string[] =>
  sound.map((line, place) => {
    if (place === 0) return line;
    const event = parseEvent(line);
    const isIt = event.stream === stream && event.revision === revision;
    return isIt ? JSON.stringify({ ...event, ...change(event) }) : line;
  });

const placeOf = (stream: string, revision: number): number =>
  sound.findIndex((line, place) => {
    if (place === 0) return false;
    const event = parseEvent(line);
    return event.stream === stream && event.revision === revision;
  });

const without = (stream: string, revision: number): readonly string[] => {
  const [header = '', ...events] = sound.filter((_, place) => place !== placeOf(stream, revision));
  return [header.replace(/"events":\d+/, `"events":${events.length}`), ...events];
};

describe('a bundle', () => {
  it('is sound, and says what it proves and what not', async () => {
    const report = await verifyBundle(fileOf(sound), trust);
    expect(report).toMatchObject({
      verdict: 'sound',
      about,
      checkpoint: { origin: 'alcada.example/tlog', size: log.size },
      breaches: [],
      proven: ['signed', 'logged', 'chained', 'rules'],
      unproven: ['unwitnessed', 'unscanned', 'pseudonyms', 'selection', 'outside'],
    });
    expect(report.streams.map(({ stream }) => stream.replace(/-.*/, ''))).toEqual([
      'delegation',
      'mandate',
      'booking',
      'order',
      'booking',
      'order',
    ]);
  });

  it('replays what its mandate had left after each event', async () => {
    const { mandates } = await verifyBundle(fileOf(sound), trust);
    const steps = mandates.flatMap((mandate) => mandate.steps);
    expect(
      steps.map(({ type, reserved, consumed, remaining, status }) => [type, reserved, consumed, remaining, status]),
    ).toEqual([
      ['MandateCreated', 0, 0, 100_000, 'valid'],
      ['MandateReserved', 57_990, 0, 42_010, 'valid'],
      ['MandateConsumed', 0, 57_990, 42_010, 'valid'],
      ['MandateReserved', 30_000, 57_990, 12_010, 'valid'],
      ['MandateReleased', 0, 57_990, 42_010, 'valid'],
      ['MandateChargeRefused', 0, 57_990, 42_010, 'valid'],
      ['MandatePaused', 0, 57_990, 42_010, 'paused'],
      ['MandateChargeRefused', 0, 57_990, 42_010, 'paused'],
      ['MandateResumed', 0, 57_990, 42_010, 'valid'],
      ['MandateNarrowed', 0, 57_990, 22_010, 'valid'],
      ['MandateRevoked', 0, 57_990, 22_010, 'revoked'],
    ]);
  });

  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      'an amount edited',
      edited(STORY.mandate, 2, () => ({ data: {} })),
      ['chain mandate 2', 'form mandate 2', 'consumption booking 2', 'closing delegation 4'],
    ],
    ['an event left out', without(STORY.mandate, 4), ['revision mandate 5']],
    ['its last event cut off', sound.slice(0, -1), ['format bundle']],
    [
      'a time edited',
      edited(STORY.orders[0] ?? '', 1, ({ metadata }) => ({
        metadata: { ...metadata, occurredAt: metadata.occurredAt.replace('2026', '2025') },
      })),
      ['chain order 1', 'time order 1', 'order order 1'],
    ],
    [
      'an entry said to stand elsewhere',
      edited(STORY.delegation, 0, () => ({ index: 1 })),
      ['inclusion delegation 0', 'sequence delegation 1'],
    ],
    [
      'another pseudonym',
      edited(STORY.delegation, 1, () => ({ pseudonym: 'A'.repeat(43) })),
      ['inclusion delegation 1', 'pseudonym delegation 1'],
    ],
    [
      'an event nested deeper than any is',
      edited(STORY.mandate, 2, () => ({ data: { a: JSON.parse('['.repeat(200) + ']'.repeat(200)) as unknown } })),
      ['format bundle', 'revision mandate 3'],
    ],
    [
      'a proof with longer hashes',
      edited(STORY.delegation, 0, ({ proof }) => ({
        proof: proof.map((hash) => base64(new Uint8Array([...fromBase64(hash), ...new Uint8Array(32)]))),
      })),
      ['format bundle'],
    ],
    ['another subject', [(sound[0] ?? '').replace(STORY.mandateId, 'another'), ...sound.slice(1)], ['subject mandate']],
    ['no lines', [], ['format bundle']],
    ['no JSON', ['nothing'], ['format bundle']],
  ])('is found broken: %s', async (_, lines, breaches) => {
    expect(await found(lines)).toEqual(breaches);
  });

  it('is found broken where one pseudonym names two streams', async () => {
    const { pseudonym } = parseEvent(sound[placeOf(STORY.delegation, 0)] ?? '');
    const lines = sound.map((line) => {
      const isMandates = line.includes(`"stream":"${STORY.mandate}"`);
      return isMandates ? JSON.stringify({ ...parseEvent(line), pseudonym }) : line;
    });
    expect(await found(lines)).toContain('pseudonym mandate 0');
  });

  it('is found broken with the number of the line that cannot be read', async () => {
    const { breaches } = await verifyBundle(fileOf([...sound.slice(0, 2), 'nothing', ...sound.slice(2)]), trust);
    expect(breaches.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^line 3: /));
  });

  it('proves no more than what its breaches leave', async () => {
    const proven = async (lines: readonly string[], given = trust) => (await verifyBundle(fileOf(lines), given)).proven;
    expect(await proven(edited(STORY.mandate, 2, () => ({ data: {} })))).toEqual(['signed']);
    expect(await proven(without(STORY.mandate, 4))).toEqual(['signed', 'logged']);
    const forged = new TestLog(log.origin, 'the key of somebody else');
    expect(await proven(sound, { ...trust, policy: policyOf(forged.key) })).toEqual([]);
  });

  it('is found broken where its checkpoint is signed by another key, of that name or not', async () => {
    const forged = new TestLog(log.origin, 'the key of somebody else');
    expect(await found(sound, { ...trust, policy: policyOf(forged.key) })).toEqual(['checkpoint bundle']);
    const other = new TestLog('other.example/tlog');
    other.write({ stream: STORY.mandate, type: 'MandateAbandoned', data: {}, at: '2026-01-31T12:00:00.000Z' });
    const lines = await other.bundle({ since: '2026-01-31T12:00:00.000Z' }, () => true);
    expect(await found(lines)).toContain('checkpoint bundle');
  });

  it('is found broken where a log that is signed broke a rule', async () => {
    const greedy = purchaseStory((type, data) => {
      return type === 'MandateReserved' ? { ...data, amount: { amount: 100_001, currency: 'BRL' } } : data;
    });
    const rules = await found(await greedy.bundle(about, isOfStory));
    expect(rules).toContain('ceiling mandate 1');
    const overCap = purchaseStory((type, data) => {
      return type === 'SpendingCapSet' ? { ...data, cap: { amount: 99_999, currency: 'BRL' } } : data;
    });
    expect(await found(await overCap.bundle(about, isOfStory))).toEqual(['cap delegation 2']);
  });
});

/** A log of its own, of some events, as a bundle. */
const written = async (...events: readonly (readonly [stream: string, type: string, data: Json])[]) => {
  const own = new TestLog();
  const at = '2026-01-31T12:00:00.000Z';
  for (const [stream, type, data] of events) own.write({ stream, type, data, at, holder: 'h', clientId: 'a' });
  return verifyBundle(fileOf(await own.bundle({ since: at }, () => true)), trust);
};

describe('what a bundle says was kept', () => {
  it('counts what the rules were applied to', async () => {
    const { applied } = await verifyBundle(fileOf(sound), trust);
    const kinds = { mandates: 1, delegations: 1, bookings: 2, orders: 2, followed: 2, flights: 0, others: 0 };
    expect(applied).toEqual({ events: 26, ...kinds });
  });

  it('is nothing where a stream was not judged from its first event', async () => {
    const first = placeOf(STORY.mandate, 0);
    const [header = '', ...events] = sound.filter((_, place) => place !== first);
    const subject = JSON.stringify({ since: '2026-01-31T12:00:00.000Z' });
    const { about: __, ...rest } = parseHeader(header);
    const begun = JSON.stringify({ ...rest, about: JSON.parse(subject) as object, events: events.length });
    const { verdict, proven, unproven, applied } = await verifyBundle(fileOf([begun, ...events]), trust);
    expect([verdict, proven]).toEqual(['sound', ['signed', 'logged', 'chained']]);
    expect(unproven).toContain('partial');
    expect([applied.mandates, applied.delegations]).toEqual([0, 1]);
  });

  it('is that an order is placed first, whether its booking is here or not', async () => {
    const payment = { id: 'p', processor: 'test', method: 'card', brand: 'visa', last4: '4242' };
    const paidAt = '2026-01-31T12:00:00.000Z';
    const amount = { amount: 1, currency: 'BRL' };
    const paid = { ticketCode: '9570000000014', payment: { ...payment, amount, capturedAt: paidAt }, paidAt };
    const { breaches } = await written(['order-o1', 'OrderPaid', paid]);
    expect(breaches.map(({ rule, stream }) => [rule, stream])).toEqual([['order', 'order-o1']]);
  });

  it('is asked of the form of every event, and of its time', async () => {
    const viewedAt = '2026-01-31T12:00:00.000Z';
    const rules = async (type: string, data: Json, stream = 'audit-2026-01-31') =>
      (await written([stream, type, data])).breaches.map(({ rule }) => rule);
    expect(await rules('AuditPageViewed', { auditor: 'x', page: 'home', subject: null, viewedAt })).toEqual([]);
    expect(await rules('AuditPageViewed', { auditor: 'x', page: 'home', viewedAt })).toEqual(['form']);
    expect(await rules('AuditPageLeft', {})).toEqual(['form']);
    expect(await rules('Said', {}, 'walls-1')).toEqual(['form']);
    const party = { holder: 'h', clientId: 'a', grantId: 'g', scopes: [] };
    const later = { ...party, authorizedAt: '2026-01-31T12:00:01.000Z' };
    expect(await rules('AgentAuthorized', later, 'delegation-h.a')).toEqual(['time']);
    expect(await rules('AgentAuthorized', later, 'delegation-h.b')).toEqual(['form']);
  });
});

describe('the lines of a file', () => {
  const file = `${sound.join('\n')}\n`;
  const rulesIn = async (...chunks: readonly Uint8Array[]) =>
    (await verifyBundle(chunks, trust)).breaches.map(({ rule }) => rule);

  it('are the same however the file is read', async () => {
    const bytes = utf8(file);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7));
    expect(await rulesIn(...chunks)).toEqual([]);
  });

  it.each<readonly [string, Uint8Array]>([
    ['end in a carriage return and a newline', utf8(file.replaceAll('\n', '\r\n'))],
    ['the last of them in nothing', utf8(file.slice(0, -1))],
    ['are followed by an empty one', utf8(`${file}\n`)],
    ['have an empty one among them', utf8(file.replace('\n', '\n\n'))],
    ['begin with a byte order mark', utf8(`\ufeff${file}`)],
    ['are not UTF-8', Uint8Array.from(Buffer.from(file.replace('GRU', '\u00ff\u00ff\u00ff'), 'latin1'))],
    ['are longer than any is', utf8(file.replace('GRU', 'G'.repeat(2_000_000)))],
  ])('are refused where they %s', async (_, bytes) => {
    expect(await rulesIn(bytes)).toContain('format');
  });
});

describe('a proof of one event', () => {
  const proofOf = async (type: string): Promise<string> => {
    const event = (await log.bundled(isOfStory)).find((one) => one.type === type);
    if (!event) throw new Error(`no ${type}`);
    const { index, proof, ...logged } = event;
    return formatProof({
      extra: utf8(JSON.stringify(logged)),
      index,
      hashes: proof.map(fromBase64),
      checkpoint: log.checkpoint(),
    });
  };

  it('is verified as a bundle of that event alone', async () => {
    const report = await verifyProvenEvent(utf8(await proofOf('OrderPaid')), trust);
    expect(report).toMatchObject({ verdict: 'sound', about: null, events: 1, breaches: [] });
    expect([report.proven, report.unproven.includes('partial')]).toEqual([['signed', 'logged'], true]);
    expect(report.applied.events).toBe(0);
  });

  it('is found broken where it is cut or without its event', async () => {
    const proof = await proofOf('OrderPaid');
    const rulesIn = async (text: string) =>
      (await verifyProvenEvent(utf8(text), trust)).breaches.map(({ rule }) => rule);
    expect(await rulesIn(proof.slice(0, 200))).toEqual(['format']);
    expect(await rulesIn(proof.replace(/extra .*\n/, ''))).toEqual(['format']);
  });
});

describe('the event of a receipt', () => {
  const paid = (more: Json = {}, stream = 'order-o'): TestLog => {
    const at = '2026-01-31T12:00:00.000Z';
    const payment = { id: 'p', processor: 't', method: 'card', brand: 'visa', last4: '4242', capturedAt: at };
    const data = {
      ticketCode: '9570000000014',
      payment: { ...payment, amount: { amount: 1, currency: 'BRL' } },
      ...more,
    };
    return new TestLog().write({ stream, type: 'OrderPaid', data: { ...data, paidAt: at }, at });
  };
  const rulesOf = async (of: TestLog, change: (event: object) => object = (event) => event) => {
    const [event] = await of.bundled(() => true);
    if (!event) throw new Error('the log has one');
    const { index, proof, ...logged } = event;
    const [extra, hashes] = [utf8(JSON.stringify(change(logged))), proof.map(fromBase64)];
    const file = utf8(formatProof({ extra, index, hashes, checkpoint: of.checkpoint() }));
    return (await verifyProvenEvent(file, trust)).breaches.map(({ rule }) => rule);
  };

  it('is chained to zeros if it is the first of its stream', async () => {
    expect(await rulesOf(paid())).toEqual([]);
    expect(await rulesOf(paid(), (event) => ({ ...event, previousHash: 'a'.repeat(64) }))).toEqual(['chain', 'chain']);
  });

  it('is as long as a line of a bundle can be, and of a stream of orders', async () => {
    expect(await rulesOf(paid({ note: 'x'.repeat(1_048_576) }))).toEqual(['format']);
    expect(await rulesOf(paid({}, 'orders'))).toEqual(['format']);
  });
});

describe('a policy of the reader', () => {
  it('asks for witnesses, and believes what they cosigned', async () => {
    const witness = new TestLog('witness.example', 'a witness');
    const key = verifierKey({ ...witness.key, type: COSIGNATURE }, testCrypto.sha256);
    const text = `log ${log.vkey}\nwitness one ${formatVerifierKey(key)}\nquorum one\n`;
    const policy = parsePolicy(text, testCrypto.sha256);
    expect(await found(sound, { ...trust, policy })).toEqual(['checkpoint bundle']);

    const checkpoint = log.checkpoint() + witness.cosignatureOf(log.checkpoint());
    const [header = '', ...events] = sound;
    const lines = [JSON.stringify({ ...parseHeader(header), checkpoint }), ...events];
    const report = await verifyBundle(fileOf(lines), { ...trust, policy });
    expect([report.verdict, report.checkpoint?.witnesses]).toEqual(['sound', ['one']]);
    expect([report.proven.includes('witnessed'), report.unproven.includes('unwitnessed')]).toEqual([true, false]);
  });
});

describe('a bundle beside the log itself', () => {
  it('is whole, and grows old without becoming wrong', async () => {
    const { verdict, proven, unproven } = await verifyBundle(fileOf(sound), { ...trust, log: log.read });
    expect([verdict, proven.at(-1), unproven.includes('unscanned')]).toEqual(['sound', 'whole', false]);
    const older = await log.bundle(about, isOfStory, { size: 20 });
    expect(await found(older, { ...trust, log: log.read })).toEqual([]);
  });

  it('lacks what was left out of it', async () => {
    const isWanted = (stream: string) => isOfStory(stream);
    const [header = '', ...events] = await log.bundle(about, isWanted);
    const kept = events.filter((line) => !['MandateRevoked', 'MandateClosed'].includes(parseEvent(line).type));
    const lines = [header.replace(/"events":\d+/, `"events":${kept.length}`), ...kept];
    expect(await found(lines)).toEqual([]);
    expect(await found(lines, { ...trust, log: log.read })).toEqual(['omitted mandate 10', 'omitted delegation 4']);
  });

  it.each<readonly [string, (path: string, bytes: Uint8Array) => Uint8Array]>([
    ['a file that ends within an entry', (path, bytes) => (path === 'checkpoint' ? bytes : bytes.subarray(1))],
    ['fewer entries than it has', (path, bytes) => (path === 'checkpoint' ? bytes : new Uint8Array())],
    [
      'an entry that is none',
      (path, bytes) => (path === 'checkpoint' ? bytes : bytes.map((byte) => byte ^ (byte > 9 ? 1 : 0))),
    ],
    ['a checkpoint that is none', (path, bytes) => (path === 'checkpoint' ? utf8('nothing') : bytes)],
    [
      'a checkpoint that nobody signed',
      (path, bytes) => (path === 'checkpoint' ? utf8(new TestLog('other').checkpoint()) : bytes),
    ],
  ])('tells of a log that serves %s, and ends with a report', async (_, spoil) => {
    const read = async (path: string) => spoil(path, await log.read(path));
    const report = await verifyBundle(fileOf(sound), { ...trust, log: read });
    expect(report.breaches.map(({ rule, stream }) => [rule, stream])).toEqual([['log', 'log']]);
    expect(report.proven).not.toContain('whole');
  });

  it('reads its own part of one that has grown, and proves that the rest goes on from there', async () => {
    const grown = purchaseStory();
    for (let later = 0; later < 600; later += 1)
      grown.write({ stream: `later-${later}`, type: 'Later', data: {}, at: '2026-02-01T12:00:00.000Z' });
    const lines = await log.bundle(about, isOfStory);
    const paths: string[] = [];
    const read = (path: string) => {
      paths.push(path);
      return grown.read(path);
    };
    const report = await verifyBundle(fileOf(lines), { ...trust, log: read });
    expect([report.verdict, report.proven.at(-1)]).toEqual(['sound', 'whole']);
    const rest = grown.size - 2 * 256;
    expect(paths.toSorted()).toEqual(['checkpoint', `tile/0/002.p/${rest}`, 'tile/1/000.p/2', 'tile/entries/000']);
    const spoilt = async (path: string) => (await grown.read(path)).map((byte) => byte ^ Number(path.includes('/0/')));
    expect(await found(lines, { ...trust, log: spoilt })).toEqual(['log log']);
    const cut = async (path: string) => (await grown.read(path)).subarray(path.includes('/0/') ? 32 : 0);
    expect(await found(lines, { ...trust, log: cut })).toEqual(['log log']);
  });

  it('ends with a report, whatever size is signed', async () => {
    const grown = purchaseStory();
    while (grown.size < 256)
      grown.write({ stream: `later-${grown.size}`, type: 'Later', data: {}, at: '2026-02-01T12:00:00.000Z' });
    const entries = await grown.read('tile/entries/000');
    const vast = (size: number) => log.signed({ size, root: new Uint8Array(32) });
    let reads = 0;
    const read = (path: string) => {
      if ((reads += 1) > 100) return Promise.reject(new Error('it is still reading'));
      if (path === 'checkpoint') return Promise.resolve(utf8(vast(Number.MAX_SAFE_INTEGER)));
      const [, width = 256] = /\.p\/(\d+)$/.exec(path) ?? [];
      return Promise.resolve(path.startsWith('tile/entries/') ? entries : new Uint8Array(Number(width) * 32));
    };
    expect(await found(sound, { ...trust, log: read })).toEqual(['log log']);

    const [header = '', ...events] = sound;
    const of = (size: number) => {
      reads = 0;
      const lines = [JSON.stringify({ ...parseHeader(header), checkpoint: vast(size) }), ...events];
      return verifyBundle(fileOf(lines), { ...trust, log: read });
    };
    await expect(of(16_777_216)).rejects.toThrow('it is still reading');
    const { breaches, unproven } = await of(16_777_217);
    expect([breaches.some(({ rule }) => rule === 'log'), unproven.includes('unscanned')]).toEqual([false, true]);
    expect(reads).toBe(1);
  });

  it('is a fork where others are shown another log', async () => {
    const other = purchaseStory((type, data) => (type === 'MandatePaused' ? { ...data, by: 'nobody' } : data));
    expect(await found(sound, { ...trust, log: other.read })).toContain('fork log');
    const shown = JSON.stringify({ format: 'alcada.bundle/v2', about, checkpoint: log.checkpoint(0), events: 0 });
    const anything = { ...testCrypto, verifyEd25519: () => Promise.resolve(true) };
    const empty = shown.replace(/\\n[\w+/=]{44}\\n/, `\\n${'A'.repeat(43)}=\\n`);
    expect(await found([shown], { ...trust, log: log.read })).not.toContain('fork log');
    expect(await found([empty], { ...trust, crypto: anything, log: log.read })).toContain('fork log');
    const shorter = new TestLog();
    expect(await found(sound, { ...trust, log: shorter.read })).toEqual(['fork log']);
  });
});
