import type { Json } from '../audited-event.js';
import { type BundledEvent, parseEvent, parseHeader, type ProvenEvent } from '../bundle.js';
import { base64url, fromBase64, utf8 } from '../bytes.js';
import type { BundleReport } from '../report.js';
import { COSIGNATURE, formatVerifierKey, verifierKey } from '../tlog/note.js';
import { formatProof } from '../tlog/proof.js';
import { type Draft, LIFE, lifeScript, logOf, second } from './life-story.js';
import { isOfStory, purchaseStory, STORY } from './purchase-story.js';
import { keyOf, testCrypto, TestLog } from './test-log.js';

/** A vector: a file that somebody got. Why its report is what it is, docs/audit-vectors/index.json says. */
export interface Vector {
  readonly name: string;
  /** A bundle, or the proof of a receipt. */
  readonly kind: 'jsonl' | 'tlog-proof';
  readonly file: Uint8Array;
  /** A policy that is asked for in the place of the key. */
  readonly policy?: string;
  /** The log at hand, by the names of its files. */
  readonly log?: Readonly<Record<string, Uint8Array>>;
}

/** What is listed here is what the first version was, and stays it. */
const V1 = { format: 'alcada.bundle/v1' } as const;
/** What was listed before there was a third. */
const V2 = { format: 'alcada.bundle/v2' } as const;
/** What was listed before there was a fourth. */
const V3 = { format: 'alcada.bundle/v3' } as const;

/** What no earlier version knows. */
const V4 = { format: 'alcada.bundle/v4' } as const;

/** The first seven, whose reports are older than the member `applied`. */
const OLDER = ['sound', 'edited', 'missing', 'cut', 'over-ceiling', 'over-cap', 'wrong-reason'];

/** What of a report every verifier has to find; messages are its own. */
export const expectedOf = (name: string, { breaches, applied, ...report }: BundleReport) => ({
  ...report,
  ...(OLDER.includes(name) ? {} : { applied }),
  breaches: breaches.map(({ rule, stream, revision }) => ({ rule, stream, revision })),
});

const bytesOf = (lines: readonly string[]): Uint8Array => utf8(lines.map((line) => `${line}\n`).join(''));
const bundle = (name: string, lines: readonly string[]): Vector => ({ name, kind: 'jsonl', file: bytesOf(lines) });

/** The bundles that there were first. */
const older = async (): Promise<readonly Vector[]> => {
  const about = { mandate: STORY.mandateId };
  const sound = await purchaseStory().bundle(about, isOfStory, V1);
  const edited = sound.map((line, place) =>
    place > 0 && parseEvent(line, 1).type === 'MandateConsumed' ? line.replace('57990', '5799') : line,
  );
  const kept = sound.filter((line, place) => place === 0 || parseEvent(line, 1).type !== 'MandateReleased');
  const missing = kept.map((line) => line.replace(/"events":\d+/, `"events":${kept.length - 1}`));
  const over = purchaseStory((type, data) => (type === 'MandateReserved' ? { ...data, amount: brl(100_001) } : data));
  const cap = purchaseStory((type, data) => (type === 'SpendingCapSet' ? { ...data, cap: brl(99_999) } : data));
  const reason = purchaseStory((type, data) =>
    type === 'MandateChargeRefused' ? { ...data, reason: 'mandate_limit_exceeded' } : data,
  );
  return [
    bundle('sound', sound),
    bundle('edited', edited),
    bundle('missing', missing),
    bundle('cut', sound.slice(0, -1)),
    bundle('over-ceiling', await over.bundle(about, isOfStory, V1)),
    bundle('over-cap', await cap.bundle(about, isOfStory, V1)),
    bundle('wrong-reason', await reason.bundle(about, isOfStory, V1)),
  ];
};

const brl = (amount: number) => ({ amount, currency: 'BRL' });
/** The price of each order of the story, in cents. */
const PRICE = 579_90;
const usd = (amount: number) => ({ amount, currency: 'USD' });

/** What a log did that it signed all the same: a change of the script. */
type Deed = (script: readonly Draft[]) => readonly Draft[];

const isIt = (type: string, nth: number) => {
  let seen = 0;
  return (event: Draft): boolean => event.type === type && (seen += 1) === nth;
};
const changed = (type: string, change: (data: Json) => Json, nth = 1): Deed => {
  return (script) => {
    const isThat = isIt(type, nth);
    return script.map((event) => (isThat(event) ? { ...event, data: change(event.data) } : event));
  };
};
const put = (type: string, more: Json, nth = 1): Deed => changed(type, (data) => ({ ...data, ...more }), nth);
const without = (type: string, nth = 1): Deed => {
  return (script) => {
    const isThat = isIt(type, nth);
    return script.filter((event) => !isThat(event));
  };
};
const find = (script: readonly Draft[], type: string, nth = 1): Draft => {
  const found = script.find(isIt(type, nth));
  if (!found) throw new Error(`the story has no ${type}`);
  return found;
};
/** A copy of an event, changed, right after another one and at its time. */
const after = (type: string, like: string, more: (copied: Draft, before: Draft) => Partial<Draft>, nth = 1): Deed => {
  return (script) => {
    const before = find(script, type, nth);
    const copied = find(script, like);
    const event = { ...copied, at: before.at, ...more(copied, before) };
    return script.flatMap((one) => (one === before ? [one, event] : [one]));
  };
};
/** One more reservation in the mandate of an event. */
const reservedAfter = (type: string, more: Json = {}, nth = 1): Deed =>
  after(
    type,
    'MandateReserved',
    ({ data }, { stream, at }) => {
      const times = { reservedAt: at, holdBefore: new Date(Date.parse(at) + 60_000).toISOString() };
      return { stream, data: { ...data, orderId: 'another', ...times, amount: brl(1), ...more } };
    },
    nth,
  );
const inLine = (more: Json) => (data: Json) => ({ ...data, line: { ...(data['line'] as Json), ...more } });

/** Every rule of what happened, broken by a log that is chained, proven and signed. */
const DEEDS: Readonly<Record<string, Deed>> = {
  'time-back': (script) => {
    const paused = find(script, 'MandatePaused');
    return script.map((one) => (one === paused ? { ...one, at: second(2), data: { pausedAt: second(2) } } : one));
  },
  'time-other': put('MandatePaused', { pausedAt: second(29) }),
  'time-booking': put('BookingChanged', { changedAt: second(9) }),
  'form-missing': changed('MandatePaused', () => ({})),
  'form-amount': put('SpendingCapSet', { cap: { ...brl(300_000), cents: 0 } }),
  'form-date': put('MandateCreated', { expiresAt: '2026-02-31T12:00:00.000Z' }),
  'form-own': put('MandateCreated', { mandateId: 'another' }),
  'form-unknown': after('MandatePaused', 'MandatePaused', () => ({ type: 'MandateDoubled' })),
  'form-more': put('MandatePaused', { by: 'the traveller' }),
  'life-paused-twice': after('MandatePaused', 'MandatePaused', () => ({})),
  'life-revoked-late': after('MandateExpired', 'MandateRevoked', (_, { stream, at }) => ({
    stream,
    data: { revokedAt: at },
  })),
  'life-revived': after('MandateAbandoned', 'MandateCreated', ({ data }, { stream, data: { mandateId } }) => {
    return { stream, data: { ...data, mandateId, limit: brl(100_00), constraints: {} } };
  }),
  'life-unapproved': without('MandateApproved'),
  'terms-constraints': put('MandateCreated', { constraints: {} }, 2),
  'terms-scope': put('MandateCreated', { scope: ['order:write', 'payment:execute', 'receipt:read'] }, 2),
  'terms-limit': put('MandateCreated', { limit: brl(399_00) }, 2),
  'terms-grantor': put('MandateCreated', { grantedBy: 'agent' }, 2),
  'opening-limit': put('MandateCreated', { limit: brl(1_999_00) }),
  'opening-never': without('MandateOpened'),
  'after-revocation': reservedAfter('MandateRevoked'),
  'after-expiry': reservedAfter('MandateExpired', { amount: brl(9_000_00) }),
  'while-pending': reservedAfter('MandateRequested'),
  'while-paused': reservedAfter('MandatePaused'),
  scope: put('MandateCreated', { scope: ['order:write'] }),
  currency: put('MandateReserved', { amount: usd(579_90) }, 2),
  agent: (script) => {
    const reserved = find(script, 'MandateReserved');
    return script.map((one) => (one === reserved ? { ...one, clientId: null } : one));
  },
  'constraint-trip': put('MandateCreated', { constraints: { from: ['CGH'] } }),
  'constraint-orders': put('MandateCreated', { constraints: { from: ['GRU'], maxOrders: 1 } }),
  ceiling: reservedAfter('MandateConsumed', { amount: brl(1_420_11) }),
  reservation: after('MandateReserved', 'MandateReserved', () => ({})),
  fence: reservedAfter('MandateReleased', { orderId: LIFE.orders[1] }),
  'fence-late': put('MandateReserved', { holdBefore: second(10) }),
  consumption: put('MandateConsumed', { amount: brl(579_91) }),
  'consumption-none': without('MandateReserved'),
  'consumption-missing': without('MandateConsumed'),
  release: put('MandateReleased', { amount: brl(579_89) }),
  'release-missing': without('MandateReleased'),
  'refusal-reason': put('MandateChargeRefused', { reason: 'mandate_limit_exceeded' }, 4),
  'refusal-none': put('MandateChargeRefused', { amount: brl(1) }),
  'refusal-constraint': put('MandateChargeRefused', { constraint: 'to' }, 2),
  'refusal-trip': changed('MandateChargeRefused', (data) => ({ ...data, orderId: LIFE.orders[0] }), 2),
  narrowing: put('MandateNarrowed', { limit: brl(2_000_01) }),
  'narrowing-spent': put('MandateNarrowed', { limit: brl(579_89) }),
  'narrowing-soon': put('MandateNarrowed', { expiresAt: second(119) }),
  'narrowing-currency': put('OpenMandateNarrowed', { limit: usd(800_00) }),
  'narrowing-below': put('OpenMandateNarrowed', { limit: brl(799_99) }),
  cap: put('MandateOpened', { limit: brl(2_600_01) }, 3),
  'cap-ending': put('SpendingCapSet', { ending: [LIFE.mandates[0]] }, 2),
  authorization: without('AgentAuthorized'),
  'authorization-open': without('MandateClosed', 3),
  'closing-early': without('MandateRevoked'),
  'closing-amount': put('MandateClosed', { consumed: brl(579_89) }, 3),
  'closing-currency': put('MandateClosed', { consumed: usd(579_90) }, 3),
  'closing-nothing': put('MandateClosed', { consumed: usd(0) }),
  'closing-zero': put('MandateClosed', { consumed: usd(0) }, 3),
  'closing-never': (script) => {
    const abandoned = find(script, 'MandateAbandoned');
    const closed = find(script, 'MandateClosed');
    return script.flatMap((one) => (one === abandoned ? [] : one === closed ? [closed, abandoned] : [one]));
  },
  'checkout-terms': changed('OrderPlaced', inLine({ description: 'Voo AL4012' })),
  'checkout-line': changed('OrderPlaced', inLine({ seat: '1A' })),
  'checkout-none': without('BookingCheckoutStarted'),
  'checkout-mandate': (script) => {
    const other = put('BookingCheckoutStarted', { mandateId: LIFE.mandates[1] });
    return put('OrderPlaced', { mandateId: LIFE.mandates[1] })(other(script));
  },
  'amount-line': changed('BookingCheckoutStarted', inLine({ unitPrice: brl(579_89) })),
  'amount-placed': put('OrderPlaced', { total: brl(579_91) }),
  'amount-paid': changed('OrderPaid', (data) => ({
    ...data,
    payment: { ...(data['payment'] as Json), amount: brl(579_91) },
  })),
  'order-failed': after('OrderPaid', 'OrderFailed', (_, { stream, at }) => ({
    stream,
    data: { failure: 'payment_declined', failedAt: at },
  })),
  'order-late': after('BookingTicketed', 'SeatsReleased', ({ data }, { at }) => ({
    data: { ...data, orderId: LIFE.orders[0], releasedAt: at },
  })),
  'ticket-early': (script) => {
    const opened = find(script, 'BookingCheckoutStarted');
    const [placed, paid] = [find(script, 'OrderPlaced'), find(script, 'OrderPaid')];
    const [early, late] = [placed, paid].map((one) => ({ ...one, at: opened.at }));
    const events = [
      { ...placed, ...early, data: { ...placed.data, bookingId: 'another' } },
      { ...paid, ...late, data: { ...paid.data, paidAt: opened.at } },
    ];
    return script.flatMap((one) => (one === opened ? [...events, one] : one === placed || one === paid ? [] : [one]));
  },
  'order-twice': (script) => {
    const [, other] = LIFE.bookings;
    const into = { orderId: LIFE.orders[0] };
    const opened = put('BookingCheckoutStarted', into, 2)(script);
    const lost = ['OrderPlaced', 'PaymentChallenged', 'OrderFailed', 'MandateReserved', 'MandateReleased'];
    const isOfLost = ({ stream, type, data }: Draft): boolean =>
      stream !== `booking-${other}` && [...lost, 'SeatsHeld', 'SeatsReleased'].includes(type)
        ? stream.endsWith(LIFE.orders[1]) || data['orderId'] === LIFE.orders[1]
        : false;
    const { data } = find(script, 'BookingTicketed');
    return opened
      .filter((event) => !isOfLost(event))
      .map((event) =>
        event.type === 'BookingCheckoutAbandoned'
          ? { ...event, type: 'BookingTicketed', data: { ...data, ticketedAt: event.at } }
          : event,
      );
  },
  'order-unplaced': without('OrderPlaced'),
  'order-unreserved': without('SeatsHeld'),
  'booking-other': put('BookingChanged', { fareCode: 'LIVRE' }),
  'booking-party': put('BookingCreated', { clientId: 'another' }),
  'booking-twice': after('BookingTicketed', 'BookingCheckoutStarted', ({ data }, { at }) => ({
    data: { ...data, orderId: 'another', openedAt: at },
  })),
  'booking-uncreated': (script) => {
    const [created, opened] = [find(script, 'BookingCreated'), find(script, 'BookingCheckoutStarted')];
    const late = { ...created, at: opened.at, data: { ...created.data, createdAt: opened.at } };
    return script.flatMap((one) => (one === created ? [] : one === opened ? [one, late] : [one]));
  },
  'booking-release': put('BookingCheckoutAbandoned', { orderId: LIFE.orders[0] }),
  'ticket-other': put('BookingTicketed', { ticketCode: '9570000000025' }),
  'ticket-code': put('OrderPaid', { ticketCode: 'none' }),
  'ticket-none': (script) =>
    put('BookingTicketed', { ticketCode: 'none' })(put('OrderPaid', { ticketCode: 'none' })(script)),
  'ticket-unpaid': without('OrderPaid'),
  'seats-oversold': put('FlightScheduled', { seats: 1 }),
  'seats-kept': without('SeatsReleased'),
  'seats-never': without('FlightScheduled'),
};

const SINCE = { since: second(0) };
const all = () => true;

/** What a file can be that was not made by the service, or was changed on its way. */
const spoiled = (sound: readonly string[]): readonly Vector[] => {
  const [header = '', ...events] = sound;
  const file = (name: string, bytes: Uint8Array): Vector => ({ name, kind: 'jsonl', file: bytes });
  const text = sound.map((line) => `${line}\n`).join('');
  const editedAt = (place: number, change: (event: BundledEvent) => object): readonly string[] =>
    sound.map((line, at) =>
      at === place ? JSON.stringify({ ...parseEvent(line, 1), ...change(parseEvent(line, 1)) }) : line,
    );
  const inData = (more: string) => text.replace('"data":{', `"data":{${more},`);
  const withNote = (checkpoint: string) => [JSON.stringify({ ...parseHeader(header), checkpoint }), ...events];
  const { checkpoint } = parseHeader(header);
  return [
    file('format-empty', new Uint8Array()),
    file('format-header', utf8(text.replace('bundle/v1', 'bundle/v0'))),
    file('format-crlf', utf8(text.replaceAll('\n', '\r\n'))),
    file('format-unended', utf8(text.slice(0, -1))),
    file('format-blank', utf8(`${text}\n`)),
    file(
      'format-bytes',
      Uint8Array.from(utf8(text), (byte) => (byte === 0xc3 ? 0xff : byte)),
    ),
    file('format-space', utf8(text.replace('"data":{', '"data": {'))),
    file('format-twice', utf8(inData('"fares":[]').replace('"data":{"fares":[],', '"data":{},"data":{'))),
    file('format-fraction', utf8(inData('"more":1.5'))),
    file('format-large', utf8(inData('"more":9007199254740992'))),
    file('format-surrogate', utf8(inData('"more":"\\ud800"'))),
    file('format-levels', utf8(inData(`"more":${'['.repeat(99)}${']'.repeat(99)}`))),
    bundle(
      'format-metadata',
      editedAt(1, ({ metadata }) => ({ metadata: { ...metadata, note: '' } })),
    ),
    bundle(
      'format-actor',
      editedAt(1, ({ metadata }) => ({ metadata: { ...metadata, actor: { ...metadata.actor, ip: '' } } })),
    ),
    bundle('format-count', [header.replace(/"events":\d+/, '"events":1'), ...events]),
    bundle('checkpoint-malformed', withNote(checkpoint.replace(/\n— .*/, ''))),
    bundle('checkpoint-size', withNote(checkpoint.replace(/\n(\d+)\n/, '\n0$1\n'))),
    bundle('checkpoint-signature', withNote(checkpoint.replace(/\n(\d)/, '\n1$1'))),
    bundle(
      'inclusion',
      editedAt(2, ({ index }) => ({ index: index + 100 })),
    ),
    bundle('sequence', [header, events[1] ?? '', events[0] ?? '', ...events.slice(2)]),
    bundle(
      'pseudonym',
      editedAt(3, () => ({ pseudonym: 'A'.repeat(43) })),
    ),
    bundle(
      'chain',
      editedAt(4, () => ({ previousHash: 'a'.repeat(64) })),
    ),
    bundle('subject', [header.replace(JSON.stringify(SINCE), '{"order":"another"}'), ...events]),
  ];
};

/** What is at hand of a log, by the names of its files. */
const filesOf = async (log: TestLog): Promise<Readonly<Record<string, Uint8Array>>> => ({
  checkpoint: await log.read('checkpoint'),
  [`tile/entries/000.p/${log.size}`]: await log.read('tile/entries/000'),
});

/** The vectors of docs/audit-vectors. */
export const vectors = async (): Promise<readonly Vector[]> => {
  const log = logOf(lifeScript());
  const sound = await log.bundle(SINCE, all, V1);
  const part = await log.bundle({ since: second(30) }, all, V1);
  const deeds: Vector[] = [];
  for (const [name, deed] of Object.entries(DEEDS))
    deeds.push(bundle(name, await logOf(deed(lifeScript())).bundle(SINCE, all, V1)));

  const isOfOrder = (stream: string) => stream !== LIFE.flight && !/^(?:security|audit|ticket)-/.test(stream);
  const about = { order: LIFE.orders[0] };
  const order = await log.bundle(about, isOfOrder, V1);
  const later = parseHeader(part[0] ?? '');
  const kept = part.slice(1).filter((line) => parseEvent(line, 1).metadata.occurredAt >= second(30));
  const partial = [JSON.stringify({ ...later, events: kept.length }), ...kept];
  const cutShort = sound.slice(1).filter((line) => parseEvent(line, 1).type !== 'AgentRevoked');
  const omitted = [JSON.stringify({ ...parseHeader(sound[0] ?? ''), events: cutShort.length }), ...cutShort];
  const [paused = ''] = sound.filter((line, at) => at > 0 && parseEvent(line, 1).type === 'MandatePaused');
  const again = { ...parseEvent(paused, 1), metadata: { ...parseEvent(paused, 1).metadata, hash: 'a'.repeat(64) } };
  const doubled = sound.slice(1).flatMap((line) => (line === paused ? [line, JSON.stringify(again)] : [line]));
  const twice = [JSON.stringify({ ...parseHeader(sound[0] ?? ''), events: doubled.length }), ...doubled];
  const none = JSON.stringify({ ...parseHeader(sound[0] ?? ''), events: 0 });
  const elsewhere = await log.bundle(SINCE, (stream) => stream === `order-${LIFE.orders[0]}`, V1);
  const orphan = logOf(lifeScript().filter(({ type }) => type !== 'OrderPlaced'));

  const witness = new TestLog('witness.example', 'a witness');
  const cosigner = formatVerifierKey(verifierKey({ ...witness.key, type: COSIGNATURE }, testCrypto.sha256));
  const policy = `log ${log.vkey}\nwitness one ${cosigner}\nquorum one\n`;
  const noteWith = (checkpoint: string) => [
    JSON.stringify({ ...parseHeader(sound[0] ?? ''), checkpoint }),
    ...sound.slice(1),
  ];
  const cosigned = log.checkpoint() + witness.cosignatureOf(log.checkpoint());
  const wrong = log.checkpoint() + witness.cosignatureOf(log.checkpoint(1));

  const files = await filesOf(log);
  const entries = Object.keys(files).find((name) => name !== 'checkpoint') ?? '';
  const tile = files[entries] ?? new Uint8Array();
  const forked = await filesOf(logOf(put('MandatePaused', { by: 'nobody' })(lifeScript())));

  return [
    ...(await older()),
    bundle('lives', sound),
    bundle('about-order', order),
    bundle('partial', partial),
    bundle('none', [none]),
    bundle('elsewhere', elsewhere),
    bundle('elsewhere-unplaced', await orphan.bundle(SINCE, (stream) => stream === `order-${LIFE.orders[0]}`, V1)),
    ...deeds,
    ...spoiled(sound),
    ...(await receipts(log)),
    { ...bundle('witnessed', noteWith(cosigned)), policy },
    { ...bundle('witnessed-too-few', sound), policy },
    { ...bundle('witnessed-wrong', noteWith(wrong)), policy },
    { ...bundle('scanned', sound), log: files },
    { ...bundle('omitted', omitted), log: files },
    { ...bundle('fork', sound), log: forked },
    {
      ...bundle('fork-size', omitted),
      log: { ...files, checkpoint: utf8(log.checkpoint(3)) },
    },
    {
      ...bundle('revision-twice', twice),
      log: files,
    },
    {
      ...bundle('log-cut', sound),
      log: { ...files, [entries]: tile.slice(0, -1) },
    },
    {
      ...bundle('log-unsigned', sound),
      log: { ...files, checkpoint: utf8('nothing\n') },
    },
    ...(await marked()),
  ];
};

/** The story as later versions have it: the traveller's word on a payment is told, and the flight of a refusal. */
const told: Deed = (script) => {
  const flight = { bookingId: 'another', flightNumber: 'AL1', from: 'CGH', to: 'REC', unitPrice: brl(100_00) };
  const deeds = [
    put('PaymentChallenged', { decisionRecorded: true }),
    after('PaymentChallenged', 'PaymentChallenged', ({ data: { bookingId } }, { at }) => {
      return { type: 'PaymentDeclined', clientId: null, data: { bookingId, declinedAt: at } };
    }),
    put('OrderFailed', { failure: 'payment_challenge_failed' }),
    put('MandateChargeRefused', { ...flight, allowed: { from: ['GRU'] } }, 2),
  ];
  return deeds.reduce((events, deed) => deed(events), script);
};

/** What only these versions ask for, kept and broken. */
const TOLD: Readonly<Record<string, Deed>> = {
  'lives-word': (script) => script,
  'order-word': put('OrderFailed', { failure: 'payment_declined' }),
  'order-approved': (script) => {
    const approved = changed('PaymentDeclined', ({ bookingId, declinedAt }) => ({
      bookingId,
      approvedAt: declinedAt,
    }));
    const failed = put('OrderFailed', { failure: 'payment_not_completed' })(approved(script));
    return failed.map((one) => (one.type === 'PaymentDeclined' ? { ...one, type: 'PaymentApproved' } : one));
  },
  'order-unasked': without('PaymentChallenged'),
  'order-agent': (script) =>
    script.map((one) => (one.type === 'PaymentDeclined' ? { ...one, clientId: 'alcada-pilot' } : one)),
  'refusal-flight': put('MandateChargeRefused', { from: 'GRU' }, 2),
  'refusal-allowed': put('MandateChargeRefused', { allowed: { from: ['SSA'] } }, 2),
};

/** The actor of an event that is another one. */
const by = (type: string, actor: Pick<Draft, 'holder' | 'clientId'>): Deed => {
  return (script) => script.map((one) => (one === find(script, type) ? { ...one, ...actor } : one));
};
const capturedAt = (seconds: number): Deed =>
  changed('OrderPaid', ({ payment, ...data }) => {
    return { ...data, payment: { ...(payment as Json), capturedAt: second(seconds) } };
  });
const AGENT = 'alcada-pilot';
const NOBODY = { holder: null, clientId: AGENT };
const SERVICE = { holder: null, clientId: null };

/** What closes a mandate sets the cap, with nobody who asked for it. */
const kept = (cents: number): Deed =>
  after(
    'MandateClosed',
    'SpendingCapSet',
    ({ data }, { at }) => ({ ...SERVICE, data: { ...data, cap: brl(cents), setAt: at } }),
    2,
  );

/** What the third version asks for, kept and broken: who decided, for whom, and when a card was charged. */
export const WHO_AND_WHEN: Readonly<Record<string, Deed>> = {
  'lives-v3': (script) => script,
  'lives-clocks': capturedAt(-289),
  'lives-consent': (script) =>
    ['AgentAuthorized', 'SpendingCapSet'].reduce((all, type) => by(type, { clientId: AGENT })(all), script),
  'agent-party': (script) => {
    const own = [`booking-${LIFE.bookings[0]}`, `order-${LIFE.orders[0]}`];
    return script.map((one) =>
      own.includes(one.stream) && one.data['holder'] ? { ...one, data: { ...one.data, holder: 'another' } } : one,
    );
  },
  'agent-traveller': by('MandateReserved', { holder: 'another' }),
  'actor-approved': by('MandateApproved', { clientId: AGENT }),
  'actor-approved-other': by('MandateApproved', { holder: 'another' }),
  'actor-narrowed': by('MandateNarrowed', { clientId: AGENT }),
  'actor-paused': by('MandatePaused', NOBODY),
  'actor-resumed': by('MandateResumed', { clientId: AGENT }),
  'actor-open': by('OpenMandateNarrowed', { clientId: AGENT }),
  'actor-authorized': by('AgentAuthorized', NOBODY),
  'actor-cap': by('SpendingCapSet', { clientId: 'another' }),
  'actor-mode': by('ApprovalModeSet', { holder: 'another' }),
  'lives-kept-cap': kept(1_000_00),
  'actor-kept-cap': kept(1_000_01),
  'actor-unasked': (script) =>
    by('ApprovalModeSet', { clientId: AGENT })(put('ApprovalModeSet', { asksFirst: false })(script)),
  'terms-minutes': put('MandateCreated', { minutes: 1 }),
  'order-captured-early': capturedAt(-290),
  'order-captured-late': capturedAt(313),
  'order-captured-end': (script) => {
    const ended = { expiresAt: second(60), minutes: 1 };
    const granted = put('MandateOpened', ended)(put('MandateCreated', ended)(capturedAt(61)(script)));
    return granted.filter(({ at }) => at < second(13));
  },
  'order-booking': put('PaymentChallenged', { bookingId: 'another' }),
  'order-booking-word': put('PaymentDeclined', { bookingId: 'another' }),
};

/** The first booking of the story, promised for another price until a second before it is ordered, or until after it. */
const promised =
  (cents: number, until: -1 | 1, more: Json = {}): Deed =>
  (script) => {
    const { at } = find(script, 'BookingCheckoutStarted');
    const expiresAt = new Date(Date.parse(at) + until * 1_000).toISOString();
    const booked = put('BookingChanged', { total: brl(cents), taxes: brl(0), expiresAt })(script);
    return put('BookingCheckoutStarted', more)(booked);
  };

const [DEPARTS, LATER] = ['2026-03-01T18:30:00.000Z', '2026-03-01T18:31:00.000Z'];
/** The first order of the story, booked for a departure, and frozen for one. */
const leaving = (booked: string, frozen: string): Deed => {
  const isIn = inLine({ departureAt: frozen });
  const deeds = [
    promised(PRICE, 1),
    put('BookingChanged', { departureAt: booked }),
    changed('BookingCheckoutStarted', isIn),
    changed('OrderPlaced', isIn),
  ];
  return (script) => deeds.reduce((all, deed) => deed(all), script);
};

/** What the fourth version asks for: what an order may cost, by what its booking was promised for and what it named. */
export const PRICES: Readonly<Record<string, Deed>> = {
  'lives-v4': promised(PRICE, 1),
  'lives-lower': promised(PRICE + 1, -1),
  'lives-accepted': promised(PRICE - 1, -1, { accepted: brl(PRICE) }),
  'booking-dearer': promised(PRICE - 1, -1),
  'booking-accepted': promised(PRICE - 2, -1, { accepted: brl(PRICE - 1) }),
  'booking-accepted-other': promised(PRICE - 1, -1, { accepted: usd(PRICE) }),
  'booking-promised': promised(PRICE + 1, 1),
  'booking-promised-dearer': promised(PRICE - 1, 1, { accepted: brl(PRICE) }),
  'lives-departure': leaving(DEPARTS, DEPARTS),
  'booking-departure': leaving(DEPARTS, LATER),
  'booking-taxes': (script) => put('BookingChanged', { taxes: brl(1) })(promised(PRICE, 1)(script)),
  'amount-taxes': changed('BookingCheckoutStarted', inLine({ taxes: brl(PRICE + 1) })),
};

const row = (until: string, fee: object) => ({ until, fee });
const conditions = (...cancellation: readonly object[]) => ({ cancellation, taxesRefundable: true, withdrawal: true });
const CLASSIC = conditions(row('PT24H', { percent: 20 }));

/** The first order of the story on conditions, promised with a price until so many seconds after it began. */
const promisedOn = (booked: object, frozen: object, ends: -1 | 1): Deed => {
  const isIn = inLine({ conditions: frozen });
  const deeds = [
    promised(PRICE, ends),
    put('BookingChanged', { conditions: booked }),
    changed('BookingCheckoutStarted', isIn),
    changed('OrderPlaced', isIn),
  ];
  return (script) => deeds.reduce((all, deed) => deed(all), script);
};

/** What the fourth version asks for of conditions: those that were promised, and afterwards none that are worse. */
export const CONDITIONS: Readonly<Record<string, Deed>> = {
  'lives-conditions': promisedOn(CLASSIC, CLASSIC, 1),
  'lives-conditions-better': promisedOn(CLASSIC, conditions(row('P2D', { percent: 20 }), row('PT2H', brl(100_00))), -1),
  'booking-conditions': promisedOn(CLASSIC, conditions(row('PT2H', { percent: 0 })), 1),
  'booking-conditions-worse': promisedOn(CLASSIC, conditions(row('P2D', { percent: 20 })), -1),
  'booking-conditions-fee': promisedOn(CLASSIC, conditions(row('PT24H', brl(116_00))), -1),
  'booking-conditions-none': promisedOn(CLASSIC, { ...CLASSIC, withdrawal: false }, -1),
  'form-conditions': promisedOn({ ...CLASSIC, notice: true }, { ...CLASSIC, notice: true }, 1),
  'form-conditions-fee': promisedOn(conditions(row('PT24H', { percent: 101 })), conditions(), -1),
};

const FEE = 115_98;
/** The first order, cancelled a month before its flight leaves, or at another second; `more`: what is otherwise in each event. */
const cancelled = (
  more: Readonly<Record<string, Json>> = {},
  left: readonly string[] = [],
  { departsAt = DEPARTS, seconds = 1_799 } = {},
): Deed => {
  return (script) => {
    const dated = inLine({ departureAt: departsAt });
    const sold = ['BookingCheckoutStarted', 'OrderPlaced'].reduce(
      (all, type) => changed(type, dated)(all),
      promisedOn(CLASSIC, CLASSIC, 1)(script),
    );
    const at = second(seconds);
    const next = sold.find((one) => one.at > at);
    const [orderId, bookingId, mandateId] = [LIFE.orders[0], LIFE.bookings[0], LIFE.mandates[0]];
    const [refund, fee] = [brl(PRICE - FEE), brl(FEE)];
    const hold = find(sold, 'SeatsHeld').data;
    const begun = { cancellationId: 'c', bookingId, reason: 'fare_rule', refund, fee, departsAt, startedAt: at };
    const counted = { mandateId, orderId, amount: refund, departsAt, countedAt: at };
    const released = { orderId, seats: 1, holdBefore: hold['holdBefore'], releasedAt: at };
    const events: readonly (readonly [string, string, Json])[] = [
      [`order-${orderId}`, 'OrderCancellationStarted', begun],
      [`mandate-${mandateId}`, 'MandateRefunded', { orderId, amount: refund, departsAt, refundedAt: at }],
      [LIFE.delegation, 'MandateRefundCounted', counted],
      [LIFE.flight, 'SeatsReleased', released],
      [`order-${orderId}`, 'OrderCancelled', { bookingId, refund, refundId: 'r', refundedAt: at, cancelledAt: at }],
    ];
    const back = events.flatMap(([stream, type, data]): readonly Draft[] =>
      left.includes(type)
        ? []
        : [{ ...find(sold, 'BookingTicketed'), at, stream, type, data: { ...data, ...more[type] } }],
    );
    return sold.flatMap((one) => (one === next ? [...back, one] : [one]));
  };
};

const LATE_FLIGHT = {
  OrderCancellationStarted: { departsAt: LATER },
  MandateRefunded: { departsAt: LATER },
  MandateRefundCounted: { departsAt: LATER },
};
/** When its mandate is closed. */
const CLOSED = { seconds: 1_850 };
/** All of it is kept: nothing comes back. */
const LOST = {
  OrderCancellationStarted: { refund: brl(0), fee: brl(PRICE) },
  MandateRefunded: { amount: brl(0) },
  OrderCancelled: { refund: brl(0), refundId: null },
};

/** The same, refused by the processor after one of its events; `more`: what of the way back there is beside it. */
const failedAfter = (type: string, more = type, changes: Readonly<Record<string, Json>> = {}): Deed => {
  const rest = ['MandateRefunded', 'MandateRefundCounted', 'SeatsReleased', 'OrderCancelled'];
  const begun = cancelled(
    changes,
    rest.filter((one) => one !== more),
  );
  return (script) => {
    const events = begun(script);
    const start = find(events, 'OrderCancellationStarted');
    const failed = { ...start, type: 'OrderRefundFailed', data: { bookingId: LIFE.bookings[0], failedAt: start.at } };
    const before = events.findLast((one) => one.type === type);
    return events.flatMap((one) => (one === before ? [one, failed] : [one]));
  };
};

const cancelling = (at: Draft): Draft => ({
  ...at,
  stream: LIFE.flight,
  type: 'FlightCancelled',
  data: { reason: 'neve', cancelledAt: at.at },
});

/** The first order, whose flight is cancelled. */
const ofCancelledFlight: Deed = (script) => {
  const whole = { refund: brl(PRICE), fee: brl(0) };
  const back = cancelled({
    OrderCancellationStarted: { reason: 'flight_cancelled', ...whole },
    MandateRefunded: { amount: brl(PRICE) },
    MandateRefundCounted: { amount: brl(PRICE) },
    OrderCancelled: { refund: brl(PRICE) },
  })(script);
  const start = find(back, 'OrderCancellationStarted');
  return back.flatMap((one) => (one === start ? [cancelling(one), one] : [one]));
};

/** What the fourth version asks for of refunds: what was frozen comes back, once, and no more than the fare gives. */
export const REFUNDED: Readonly<Record<string, Deed>> = {
  'lives-refund': cancelled(),
  'lives-refund-counted': (script) => {
    const back = cancelled()(script);
    const [refunded, counted] = [find(back, 'MandateRefunded'), find(back, 'MandateRefundCounted')];
    return back.map((one) => (one === refunded ? counted : one === counted ? refunded : one));
  },
  'lives-refund-clocks': cancelled({ OrderCancelled: { refundedAt: second(1_499) } }),
  'lives-withdrawal': cancelled({
    OrderCancellationStarted: { reason: 'withdrawal', refund: brl(PRICE), fee: brl(0) },
    MandateRefunded: { amount: brl(PRICE) },
    MandateRefundCounted: { amount: brl(PRICE) },
    OrderCancelled: { refund: brl(PRICE) },
  }),
  'lives-refund-failed': failedAfter('OrderCancellationStarted'),
  'lives-refund-closed': cancelled({}, [], CLOSED),
  'lives-refund-uncapped': (script) => {
    const uncapped = without('SpendingCapSet')(without('SpendingCapSet')(script));
    return cancelled({}, ['MandateRefundCounted'], CLOSED)(uncapped);
  },
  'refund-owed': cancelled({}, ['MandateRefundCounted']),
  'refund-owed-closed': cancelled({}, ['MandateRefundCounted'], CLOSED),
  'refund-failed-nothing': failedAfter('OrderCancellationStarted', '', LOST),
  'refund-failed-counted': failedAfter('MandateRefundCounted'),
  'refund-counted-failed': failedAfter('OrderCancellationStarted', 'MandateRefundCounted'),
  'refund-failed': failedAfter('MandateRefunded'),
  'seats-failed': failedAfter('SeatsReleased'),
  'order-refunded': failedAfter('OrderCancellationStarted', 'MandateRefunded'),
  'order-released': failedAfter('OrderCancellationStarted', 'SeatsReleased'),
  'refund-more': cancelled({ OrderCancellationStarted: { refund: brl(PRICE - FEE + 1), fee: brl(FEE - 1) } }),
  'refund-sum': cancelled({ OrderCancellationStarted: { fee: brl(FEE - 1) } }),
  'refund-late': cancelled(LOST, ['MandateRefundCounted'], { departsAt: second(1) }),
  'refund-currency': cancelled({ OrderCancelled: { refund: usd(PRICE - FEE) } }),
  'refund-departure': cancelled(LATE_FLIGHT),
  'refund-departure-mandate': cancelled({ MandateRefunded: { departsAt: LATER } }),
  'refund-departure-counted': cancelled({ MandateRefundCounted: { departsAt: LATER } }),
  'refund-early': cancelled({ OrderCancelled: { refundedAt: second(1_498) } }),
  'refund-mandate': cancelled({ MandateRefunded: { amount: brl(PRICE) } }),
  'refund-none': cancelled({}, ['MandateRefunded', 'MandateRefundCounted']),
  'refund-counted': cancelled({ MandateRefundCounted: { amount: brl(PRICE) } }),
  'refund-unbegun': cancelled({}, ['OrderCancellationStarted']),
  'refund-twice': (script) => {
    const once = cancelled()(script);
    const back = find(once, 'MandateRefunded');
    return once.flatMap((one) => (one === back ? [one, back] : [one]));
  },
  'seats-back': cancelled({}, ['SeatsReleased']),
  'lives-flight-cancelled': ofCancelledFlight,
  'refund-flight': (script) => ofCancelledFlight(script).filter(({ type }) => type !== 'FlightCancelled'),
  'seats-cancelled': (script) => {
    const hold = find(script, 'SeatsHeld');
    return script.flatMap((one) => (one === hold ? [cancelling(one), one] : [one]));
  },
};

/** The first order of the story, for two passengers with these tickets. */
const forTwo = (...ticketCodes: readonly string[]): Deed => {
  const line = inLine({ passengers: 2, unitPrice: brl(289_95) });
  const deeds = [
    put('BookingChanged', { passengers: 2 }),
    changed('BookingCheckoutStarted', line),
    changed('OrderPlaced', line),
    put('FlightScheduled', { seats: 3 }),
    put('SeatsHeld', { seats: 2 }),
    put('OrderPaid', { ticketCodes }),
  ];
  return (script) => deeds.reduce((all, deed) => deed(all), script);
};
const [TICKET, SECOND] = ['9570000000014', '9570000000025'];

/** What the fourth version asks for of tickets: one a passenger. */
export const TICKETS: Readonly<Record<string, Deed>> = {
  'lives-tickets': forTwo(TICKET, SECOND),
  'ticket-first': forTwo(SECOND, TICKET),
  'ticket-few': forTwo(TICKET),
  'ticket-same': forTwo(TICKET, TICKET),
  'ticket-form': forTwo(TICKET, 'none'),
};

/** The story as later versions have it, with a deed. */
export const withWord = (deed: Deed): TestLog => logOf(deed(told(lifeScript())), () => true);

/** The story on a flight whose id is not its number; its orders are for the flight `of`. */
const onFlight = (script: readonly Draft[], of: string): readonly Draft[] =>
  script.map((event) => {
    const named = { flightId: event.type === 'FlightScheduled' ? 'AL4012' : of, flightNumber: 'AL1' };
    const { data } = event;
    if (typeof data['flightNumber'] === 'string') return { ...event, data: { ...data, ...named } };
    return data['line'] ? { ...event, data: { ...data, line: { ...(data['line'] as Json), ...named } } } : event;
  });

/** The last event of a type taken out, by the lines of a bundle. */
const withoutLast = (lines: readonly string[], type: string): readonly string[] => {
  const place = lines.findLastIndex((line, at) => at > 0 && parseEvent(line).type === type);
  const kept = lines.filter((_, at) => at !== place);
  return kept.map((line) => line.replace(/"events":\d+/, `"events":${kept.length - 1}`));
};

/** Where the log of the vectors with entries of both forms changes from the first to the second. */
const CHANGE = 20;

/** Bundles of the second version, and logs with entries of the second form. */
const marked = async (): Promise<readonly Vector[]> => {
  const log = logOf(lifeScript(), () => true);
  const both = logOf(lifeScript(), (index) => index >= CHANGE);
  const back = logOf(lifeScript(), (index) => index < CHANGE);
  const [sound, mixed] = [await log.bundle(SINCE, all, V2), await both.bundle(SINCE, all, V2)];
  const [files, mixedFiles] = [await filesOf(log), await filesOf(both)];
  const editedAt = (lines: readonly string[], place: number, change: (event: BundledEvent) => object) =>
    lines.map((line, at) => (at === place ? JSON.stringify(change(parseEvent(line))) : line));
  const other = base64url(keyOf('another'));
  const keyedAs = (stream: string, key: string) =>
    sound.map((line, at) =>
      at > 0 && parseEvent(line).stream === stream ? line.replace(/"key":"[^"]+"/, `"key":"${key}"`) : line,
    );
  const cut = withoutLast(sound, 'AgentRevoked');
  const foreign = mixed.map((line, at) =>
    at > 0 && parseEvent(line).stream === 'ticket-stock' ? line.replace(/"key":"[^"]+"/, `"key":"${other}"`) : line,
  );
  const later = Array.from({ length: 300 }, (_, at) => ({
    stream: `later-${at}`,
    type: 'Later',
    data: {},
    at: second(900),
  }));
  const grown = logOf([...lifeScript(), ...later], () => true);
  const before = await grown.bundle(SINCE, all, { ...V2, size: log.size });
  const rest = `tile/0/001.p/${grown.size - 256}`;
  const grownFiles = Object.fromEntries(
    await Promise.all(
      ['checkpoint', 'tile/entries/000', rest].map(async (path) => [path, await grown.read(path)] as const),
    ),
  );
  const older = await logOf(lifeScript()).bundled(all);
  const early = await logOf(lifeScript()).bundle(SINCE, all, V1);
  const again = sound.length - 1;
  const [receipt] = await receiptsOf(log);
  const wrong = (await receiptsOf(log, (event) => ({ ...event, mark: 'A'.repeat(43) })))[0];
  const keyed = (await receiptsOf(log, ({ mark: _, ...event }) => ({ ...event, key: other })))[0];
  const words: Vector[] = [];
  for (const [name, deed] of Object.entries(TOLD))
    words.push(bundle(name, await withWord(deed).bundle(SINCE, all, V2)));
  for (const [name, deed] of Object.entries(WHO_AND_WHEN))
    words.push(bundle(name, await withWord(deed).bundle(SINCE, all, V3)));
  for (const [name, deed] of Object.entries({ ...PRICES, ...CONDITIONS, ...REFUNDED, ...TICKETS }))
    words.push(bundle(name, await withWord(deed).bundle(SINCE, all, V4)));
  const flight = logOf(onFlight(lifeScript(), 'AL4012'), () => true);
  const another = logOf(onFlight(lifeScript(), 'AL4013'), () => true);
  return [
    ...words,
    bundle('lives-flight', await flight.bundle(SINCE, all, V3)),
    bundle('checkout-flight', await another.bundle(SINCE, all, V3)),
    bundle('form-flight', await flight.bundle(SINCE, all, V2)),
    bundle('lives-v2', sound),
    bundle('lives-both', mixed),
    bundle('lives-v1', await logOf(lifeScript()).bundle(SINCE, all, V2)),
    bundle(
      'format-key',
      editedAt(sound, 1, ({ ...event }) => {
        return { ...event, key: undefined };
      }),
    ),
    bundle(
      'format-key-bits',
      sound.map((line) => line.replace(/"key":"([^"]{42})./, '"key":"$1B')),
    ),
    bundle(
      'format-key-early',
      early.map((line, at) => (at === 1 ? JSON.stringify({ ...parseEvent(line, 1), key: other }) : line)),
    ),
    bundle('inclusion-key', keyedAs(LIFE.delegation, other)),
    bundle(
      'pseudonym-key',
      editedAt(sound, 6, (event) => ({ ...event, key: other })),
    ),
    bundle(
      'pseudonym-back',
      editedAt(sound, again, (event) => ({ ...event, pseudonym: older.at(-1)?.pseudonym })),
    ),
    { ...bundle('scanned-v2', sound), log: files },
    {
      ...bundle('scanned-both', mixed),
      log: mixedFiles,
    },
    {
      ...bundle('scanned-foreign', foreign),
      log: mixedFiles,
    },
    { ...bundle('omitted-last', cut), log: files },
    { ...bundle('omitted-middle', withoutLast(sound, 'MandateReleased')), log: files },
    { ...bundle('scanned-grown', before), log: grownFiles },
    {
      ...bundle('log-grown', before),
      log: { ...grownFiles, [rest]: (grownFiles[rest] ?? new Uint8Array()).map((byte) => byte ^ 1) },
    },
    {
      ...bundle('log-back', await back.bundle(SINCE, all, V2)),
      log: await filesOf(back),
    },
    {
      ...bundle('log-marked', await log.bundle(SINCE, all, V1)),
      log: files,
    },
    receiptOf('receipt-v2', receipt),
    { ...receiptOf('receipt-v2-scanned', receipt), log: files },
    {
      ...receiptOf('receipt-v1-scanned', (await receiptsOf(both))[0]),
      log: mixedFiles,
    },
    receiptOf('inclusion-mark', wrong),
    receiptOf('format-receipt-key', keyed),
  ];
};

const receiptOf = (name: string, text = ''): Vector => ({ name, kind: 'tlog-proof', file: utf8(text) });

const receiptsOf = async (
  log: TestLog,
  change: (event: ProvenEvent & { readonly mark?: string }) => object = (event) => event,
): Promise<readonly string[]> =>
  (await log.bundled(all)).flatMap((event) => {
    if (event.type !== 'OrderPaid') return [];
    const { index, proof, ...logged } = log.proven(event);
    const extra = utf8(JSON.stringify(change(logged)));
    return formatProof({ extra, index, hashes: proof.map(fromBase64), checkpoint: log.checkpoint() });
  });

const receipts = async (log: TestLog): Promise<readonly Vector[]> => {
  const bundled = await log.bundled(all);
  const proofOf = (type: string, of: (logged: object) => string = (logged) => JSON.stringify(logged)): string => {
    const event = bundled.find((one) => one.type === type);
    if (!event) throw new Error(`no ${type}`);
    const { index, proof, ...logged } = event;
    return formatProof({ extra: utf8(of(logged)), index, hashes: proof.map(fromBase64), checkpoint: log.checkpoint() });
  };
  const receipt = receiptOf;
  const sound = proofOf('OrderPaid');
  return [
    receipt('receipt', sound),
    receipt(
      'receipt-edited',
      proofOf('OrderPaid', (logged) => JSON.stringify(logged).replace('57990', '5799')),
    ),
    receipt('receipt-moved', sound.replace(/\nindex \d+/, '\nindex 3')),
    receipt('receipt-other', proofOf('AgentAuthorized')),
    receipt(
      'receipt-newline',
      proofOf('OrderPaid', (logged) => `${JSON.stringify(logged)}\n`),
    ),
    receipt('receipt-unsigned', sound.replace(/\n— .*/, '')),
    { ...receipt('receipt-scanned', sound), log: await filesOf(log) },
  ];
};
