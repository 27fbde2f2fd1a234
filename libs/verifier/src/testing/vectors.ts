import type { Json } from '../audited-event.js';
import { type BundledEvent, parseEvent, parseHeader, type ProvenEvent } from '../bundle.js';
import { base64url, fromBase64, utf8 } from '../bytes.js';
import type { BundleReport } from '../report.js';
import { COSIGNATURE, formatVerifierKey, verifierKey } from '../tlog/note.js';
import { formatProof } from '../tlog/proof.js';
import { type Draft, LIFE, lifeScript, logOf, second } from './life-story.js';
import { isOfStory, purchaseStory, STORY } from './purchase-story.js';
import { keyOf, testCrypto, TestLog } from './test-log.js';

/** A vector: a file that somebody got, and why its report is what it is. */
export interface Vector {
  readonly name: string;
  readonly why: string;
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
/** What no earlier version knows. */
const V3 = { format: 'alcada.bundle/v3' } as const;

/** The first seven, whose reports are older than the member `applied`. */
const OLDER = ['sound', 'edited', 'missing', 'cut', 'over-ceiling', 'over-cap', 'wrong-reason'];

/** What of a report every verifier has to find; messages are its own. */
export const expectedOf = (name: string, { breaches, applied, ...report }: BundleReport) => ({
  ...report,
  ...(OLDER.includes(name) ? {} : { applied }),
  breaches: breaches.map(({ rule, stream, revision }) => ({ rule, stream, revision })),
});

const bytesOf = (lines: readonly string[]): Uint8Array => utf8(lines.map((line) => `${line}\n`).join(''));
const bundle = (name: string, why: string, lines: readonly string[]): Vector => ({
  name,
  why,
  kind: 'jsonl',
  file: bytesOf(lines),
});

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
    bundle('sound', 'a mandate as the service writes it', sound),
    bundle('edited', 'an amount was edited in the file', edited),
    bundle('missing', 'an event was taken out of the file', missing),
    bundle('cut', 'the file ends too early', sound.slice(0, -1)),
    bundle('over-ceiling', 'the log itself reserved more than the ceiling', await over.bundle(about, isOfStory, V1)),
    bundle('over-cap', 'the log itself opened a mandate above the cap', await cap.bundle(about, isOfStory, V1)),
    bundle(
      'wrong-reason',
      'the log itself gave another reason for a refusal',
      await reason.bundle(about, isOfStory, V1),
    ),
  ];
};

const brl = (amount: number) => ({ amount, currency: 'BRL' });
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
const DEEDS: readonly (readonly [name: string, why: string, deed: Deed])[] = [
  [
    'time-back',
    'an event is dated before the one before it',
    (script) => {
      const paused = find(script, 'MandatePaused');
      return script.map((one) => (one === paused ? { ...one, at: second(2), data: { pausedAt: second(2) } } : one));
    },
  ],
  ['time-other', 'a member that repeats the time has another one', put('MandatePaused', { pausedAt: second(29) })],
  ['time-booking', 'the same in a booking', put('BookingChanged', { changedAt: second(9) })],
  ['form-missing', 'a member is missing', changed('MandatePaused', () => ({}))],
  ['form-amount', 'an amount has a third member', put('SpendingCapSet', { cap: { ...brl(300_000), cents: 0 } })],
  ['form-date', 'a time is on 31 February', put('MandateCreated', { expiresAt: '2026-02-31T12:00:00.000Z' })],
  ['form-own', 'an event names another mandate than its stream', put('MandateCreated', { mandateId: 'another' })],
  [
    'form-unknown',
    'a type of event that there is not',
    after('MandatePaused', 'MandatePaused', () => ({ type: 'MandateDoubled' })),
  ],
  ['form-more', 'a member more than the table has: sound', put('MandatePaused', { by: 'the traveller' })],
  ['life-paused-twice', 'a mandate is paused twice', after('MandatePaused', 'MandatePaused', () => ({}))],
  [
    'life-revoked-late',
    'a mandate is revoked after its end',
    after('MandateExpired', 'MandateRevoked', (_, { stream, at }) => ({ stream, data: { revokedAt: at } })),
  ],
  [
    'life-revived',
    'a mandate that was given up is created, and is in force: it cannot be closed',
    after('MandateAbandoned', 'MandateCreated', ({ data }, { stream, data: { mandateId } }) => {
      return { stream, data: { ...data, mandateId, limit: brl(100_00), constraints: {} } };
    }),
  ],
  ['life-unapproved', 'a mandate that was asked for is created without an approval', without('MandateApproved')],
  [
    'terms-constraints',
    'what was approved is created without its constraint',
    put('MandateCreated', { constraints: {} }, 2),
  ],
  [
    'terms-scope',
    'with another scope',
    put('MandateCreated', { scope: ['order:write', 'payment:execute', 'receipt:read'] }, 2),
  ],
  ['terms-limit', 'with another limit', put('MandateCreated', { limit: brl(399_00) }, 2)],
  ['terms-grantor', 'by the agent', put('MandateCreated', { grantedBy: 'agent' }, 2)],
  [
    'opening-limit',
    'a mandate is created with less than its delegation opened',
    put('MandateCreated', { limit: brl(1_999_00) }),
  ],
  ['opening-never', 'a mandate is created that was never opened', without('MandateOpened')],
  ['after-revocation', 'a reservation after the revocation', reservedAfter('MandateRevoked')],
  [
    'after-expiry',
    'a reservation after the end, above the ceiling too: one rule',
    reservedAfter('MandateExpired', { amount: brl(9_000_00) }),
  ],
  ['while-pending', 'a reservation before the traveller answered', reservedAfter('MandateRequested')],
  ['while-paused', 'a reservation during a pause', reservedAfter('MandatePaused')],
  ['scope', 'a reservation without the scope for it', put('MandateCreated', { scope: ['order:write'] })],
  [
    'currency',
    'a reservation in another currency, given back in that of the mandate',
    put('MandateReserved', { amount: usd(579_90) }, 2),
  ],
  [
    'agent',
    'a reservation by nobody',
    (script) => {
      const reserved = find(script, 'MandateReserved');
      return script.map((one) => (one === reserved ? { ...one, clientId: null } : one));
    },
  ],
  [
    'constraint-trip',
    'a reservation for a flight from elsewhere',
    put('MandateCreated', { constraints: { from: ['CGH'] } }),
  ],
  [
    'constraint-orders',
    'a reservation for more orders than allowed',
    put('MandateCreated', { constraints: { from: ['GRU'], maxOrders: 1 } }),
  ],
  ['ceiling', 'a reservation above what is left', reservedAfter('MandateConsumed', { amount: brl(1_420_11) })],
  ['reservation', 'two reservations for one order', after('MandateReserved', 'MandateReserved', () => ({}))],
  [
    'fence',
    'a reservation for an order that gave its money back',
    reservedAfter('MandateReleased', { orderId: LIFE.orders[1] }),
  ],
  ['fence-late', 'a reservation later than it could be', put('MandateReserved', { holdBefore: second(10) })],
  ['consumption', 'more is consumed than was reserved', put('MandateConsumed', { amount: brl(579_91) })],
  ['consumption-none', 'money is consumed that was never reserved', without('MandateReserved')],
  ['consumption-missing', 'a ticket, and the money was never consumed', without('MandateConsumed')],
  ['release', 'less is released than was reserved', put('MandateReleased', { amount: brl(579_89) })],
  ['release-missing', 'an order is given up, and its money stays set aside', without('MandateReleased')],
  [
    'refusal-reason',
    'a refusal for another reason than there was',
    put('MandateChargeRefused', { reason: 'mandate_limit_exceeded' }, 4),
  ],
  ['refusal-none', 'a refusal, and nothing was in the way', put('MandateChargeRefused', { amount: brl(1) })],
  [
    'refusal-constraint',
    'a refusal by a constraint that there is not',
    put('MandateChargeRefused', { constraint: 'to' }, 2),
  ],
  [
    'refusal-trip',
    'a refusal by a constraint that the flight of its order keeps',
    changed('MandateChargeRefused', (data) => ({ ...data, orderId: LIFE.orders[0] }), 2),
  ],
  ['narrowing', 'a mandate is narrowed to more', put('MandateNarrowed', { limit: brl(2_000_01) })],
  ['narrowing-spent', 'a mandate is narrowed below what it has spent', put('MandateNarrowed', { limit: brl(579_89) })],
  [
    'narrowing-soon',
    'a mandate is narrowed to an end within a minute',
    put('MandateNarrowed', { expiresAt: second(119) }),
  ],
  [
    'narrowing-currency',
    'an open mandate counts in another currency from then on',
    put('OpenMandateNarrowed', { limit: usd(800_00) }),
  ],
  [
    'narrowing-below',
    'an open mandate counts less than it can spend',
    put('OpenMandateNarrowed', { limit: brl(799_99) }),
  ],
  ['cap', 'a mandate is opened above the cap', put('MandateOpened', { limit: brl(2_600_01) }, 3)],
  [
    'cap-ending',
    'a cap ends the older mandate, and not the younger one',
    put('SpendingCapSet', { ending: [LIFE.mandates[0]] }, 2),
  ],
  ['authorization', 'a mandate is opened for an agent that was never authorized', without('AgentAuthorized')],
  ['authorization-open', 'an agent is revoked, and the mandate that is open is not named', without('MandateClosed', 3)],
  ['closing-early', 'a mandate is closed before it is over', without('MandateRevoked')],
  [
    'closing-amount',
    'a mandate is closed with less than it consumed',
    put('MandateClosed', { consumed: brl(579_89) }, 3),
  ],
  [
    'closing-currency',
    'a mandate is closed in another currency, and the cap would be free again',
    put('MandateClosed', { consumed: usd(579_90) }, 3),
  ],
  [
    'closing-nothing',
    'what was never created is closed with nothing, of another currency: sound',
    put('MandateClosed', { consumed: usd(0) }),
  ],
  [
    'closing-zero',
    'the same of what was spent from, and the cap would be free again',
    put('MandateClosed', { consumed: usd(0) }, 3),
  ],
  [
    'closing-never',
    'a mandate is closed before its first event',
    (script) => {
      const abandoned = find(script, 'MandateAbandoned');
      const closed = find(script, 'MandateClosed');
      return script.flatMap((one) => (one === abandoned ? [] : one === closed ? [closed, abandoned] : [one]));
    },
  ],
  [
    'checkout-terms',
    'an order is placed for another trip than was frozen',
    changed('OrderPlaced', inLine({ description: 'Voo AL4012' })),
  ],
  [
    'checkout-line',
    'an order is placed with a member more in its line',
    changed('OrderPlaced', inLine({ seat: '1A' })),
  ],
  ['checkout-none', 'an order without a checkout', without('BookingCheckoutStarted')],
  [
    'checkout-mandate',
    'an order is charged to another mandate than was frozen',
    (script) => {
      const other = put('BookingCheckoutStarted', { mandateId: LIFE.mandates[1] });
      return put('OrderPlaced', { mandateId: LIFE.mandates[1] })(other(script));
    },
  ],
  [
    'amount-line',
    'a seat costs another amount than is charged',
    changed('BookingCheckoutStarted', inLine({ unitPrice: brl(579_89) })),
  ],
  ['amount-placed', 'an order is placed for another amount', put('OrderPlaced', { total: brl(579_91) })],
  [
    'amount-paid',
    'an order is paid with another amount',
    changed('OrderPaid', (data) => ({ ...data, payment: { ...(data['payment'] as Json), amount: brl(579_91) } })),
  ],
  [
    'order-failed',
    'an order is paid and fails',
    after('OrderPaid', 'OrderFailed', (_, { stream, at }) => ({
      stream,
      data: { failure: 'payment_declined', failedAt: at },
    })),
  ],
  [
    'order-late',
    'an event of an order after its booking let it go',
    after('BookingTicketed', 'SeatsReleased', ({ data }, { at }) => ({
      data: { ...data, orderId: LIFE.orders[0], releasedAt: at },
    })),
  ],
  [
    'ticket-early',
    'an order is placed elsewhere and paid before its checkout, and its ticket is of no payment that was asked',
    (script) => {
      const opened = find(script, 'BookingCheckoutStarted');
      const [placed, paid] = [find(script, 'OrderPlaced'), find(script, 'OrderPaid')];
      const [early, late] = [placed, paid].map((one) => ({ ...one, at: opened.at }));
      const events = [
        { ...placed, ...early, data: { ...placed.data, bookingId: 'another' } },
        { ...paid, ...late, data: { ...paid.data, paidAt: opened.at } },
      ];
      return script.flatMap((one) => (one === opened ? [...events, one] : one === placed || one === paid ? [] : [one]));
    },
  ],
  [
    'order-twice',
    'two bookings are ordered and ticketed for one order',
    (script) => {
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
  ],
  ['order-unplaced', 'an order is paid that was never placed', without('OrderPlaced')],
  ['order-unreserved', 'an order is paid before its seats were held', without('SeatsHeld')],
  ['booking-other', 'what is ordered is not what was booked last', put('BookingChanged', { fareCode: 'LIVRE' })],
  ['booking-party', 'another agent orders than the one that booked', put('BookingCreated', { clientId: 'another' })],
  [
    'booking-twice',
    'a booking is ordered again after it was sold',
    after('BookingTicketed', 'BookingCheckoutStarted', ({ data }, { at }) => ({
      data: { ...data, orderId: 'another', openedAt: at },
    })),
  ],
  [
    'booking-uncreated',
    'a booking is ordered that was never created, and created afterwards',
    (script) => {
      const [created, opened] = [find(script, 'BookingCreated'), find(script, 'BookingCheckoutStarted')];
      const late = { ...created, at: opened.at, data: { ...created.data, createdAt: opened.at } };
      return script.flatMap((one) => (one === created ? [] : one === opened ? [one, late] : [one]));
    },
  ],
  [
    'booking-release',
    'a booking lets an order go that does not have it',
    put('BookingCheckoutAbandoned', { orderId: LIFE.orders[0] }),
  ],
  [
    'ticket-other',
    'a booking gets another ticket than its order',
    put('BookingTicketed', { ticketCode: '9570000000025' }),
  ],
  ['ticket-code', 'a ticket that is no ticket code', put('OrderPaid', { ticketCode: 'none' })],
  [
    'ticket-none',
    'the same, and its booking gets it: what is no ticket code is the same as nothing',
    (script) => put('BookingTicketed', { ticketCode: 'none' })(put('OrderPaid', { ticketCode: 'none' })(script)),
  ],
  ['ticket-unpaid', 'a ticket for an order that is not paid', without('OrderPaid')],
  ['seats-oversold', 'more seats are held than the flight has', put('FlightScheduled', { seats: 1 })],
  ['seats-kept', 'an order is given up and keeps its seats', without('SeatsReleased')],
  ['seats-never', 'seats of a flight that was never scheduled', without('FlightScheduled')],
];

const SINCE = { since: second(0) };
const all = () => true;

/** What a file can be that was not made by the service, or was changed on its way. */
const spoiled = (sound: readonly string[]): readonly Vector[] => {
  const [header = '', ...events] = sound;
  const file = (name: string, why: string, bytes: Uint8Array): Vector => ({ name, why, kind: 'jsonl', file: bytes });
  const text = sound.map((line) => `${line}\n`).join('');
  const editedAt = (place: number, change: (event: BundledEvent) => object): readonly string[] =>
    sound.map((line, at) =>
      at === place ? JSON.stringify({ ...parseEvent(line, 1), ...change(parseEvent(line, 1)) }) : line,
    );
  const inData = (more: string) => text.replace('"data":{', `"data":{${more},`);
  const withNote = (checkpoint: string) => [JSON.stringify({ ...parseHeader(header), checkpoint }), ...events];
  const { checkpoint } = parseHeader(header);
  return [
    file('format-empty', 'the file is empty', new Uint8Array()),
    file('format-header', 'the first line is of another format', utf8(text.replace('bundle/v1', 'bundle/v0'))),
    file('format-crlf', 'lines end in a carriage return and a newline', utf8(text.replaceAll('\n', '\r\n'))),
    file('format-unended', 'no newline ends the last line', utf8(text.slice(0, -1))),
    file('format-blank', 'an empty line stands at the end', utf8(`${text}\n`)),
    file(
      'format-bytes',
      'a byte is no UTF-8',
      Uint8Array.from(utf8(text), (byte) => (byte === 0xc3 ? 0xff : byte)),
    ),
    file('format-space', 'white space in a line', utf8(text.replace('"data":{', '"data": {'))),
    file(
      'format-twice',
      'a member twice',
      utf8(inData('"fares":[]').replace('"data":{"fares":[],', '"data":{},"data":{')),
    ),
    file('format-fraction', 'a number that is no integer', utf8(inData('"more":1.5'))),
    file('format-large', 'an integer that is not exact', utf8(inData('"more":9007199254740992'))),
    file('format-surrogate', 'half a character', utf8(inData('"more":"\\ud800"'))),
    file('format-levels', '101 levels', utf8(inData(`"more":${'['.repeat(99)}${']'.repeat(99)}`))),
    bundle(
      'format-metadata',
      'a member more in the metadata',
      editedAt(1, ({ metadata }) => ({ metadata: { ...metadata, note: '' } })),
    ),
    bundle(
      'format-actor',
      'a member more in the actor',
      editedAt(1, ({ metadata }) => ({ metadata: { ...metadata, actor: { ...metadata.actor, ip: '' } } })),
    ),
    bundle('format-count', 'the header says another number of events', [
      header.replace(/"events":\d+/, '"events":1'),
      ...events,
    ]),
    bundle('checkpoint-malformed', 'the note is not signed at all', withNote(checkpoint.replace(/\n— .*/, ''))),
    bundle('checkpoint-size', 'the size has a leading zero', withNote(checkpoint.replace(/\n(\d+)\n/, '\n0$1\n'))),
    bundle('checkpoint-signature', 'the signature is of another text', withNote(checkpoint.replace(/\n(\d)/, '\n1$1'))),
    bundle(
      'inclusion',
      'an event is said to stand elsewhere in the log',
      editedAt(2, ({ index }) => ({ index: index + 100 })),
    ),
    bundle('sequence', 'two lines changed their places', [
      header,
      events[1] ?? '',
      events[0] ?? '',
      ...events.slice(2),
    ]),
    bundle(
      'pseudonym',
      'a stream has two pseudonyms',
      editedAt(3, () => ({ pseudonym: 'A'.repeat(43) })),
    ),
    bundle(
      'chain',
      'an event is said to follow another hash',
      editedAt(4, () => ({ previousHash: 'a'.repeat(64) })),
    ),
    bundle('subject', 'the bundle is about an order that is not in it', [
      header.replace(JSON.stringify(SINCE), '{"order":"another"}'),
      ...events,
    ]),
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
  for (const [name, why, deed] of DEEDS)
    deeds.push(bundle(name, why, await logOf(deed(lifeScript())).bundle(SINCE, all, V1)));

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
    bundle('lives', 'three mandates under a cap, and every type of event: all rules are kept', sound),
    bundle('about-order', 'a bundle about an order, without its flight', order),
    bundle('partial', 'a bundle from the middle of a log on: its rules cannot be judged', partial),
    bundle('none', 'no event at all', [none]),
    bundle('elsewhere', 'an order whose booking is not here', elsewhere),
    bundle(
      'elsewhere-unplaced',
      'the same, and it was never placed',
      await orphan.bundle(SINCE, (stream) => stream === `order-${LIFE.orders[0]}`, V1),
    ),
    ...deeds,
    ...spoiled(sound),
    ...(await receipts(log)),
    { ...bundle('witnessed', 'a witness cosigned the checkpoint', noteWith(cosigned)), policy },
    { ...bundle('witnessed-too-few', 'the policy asks for a witness that has not', sound), policy },
    { ...bundle('witnessed-wrong', 'the cosignature is of another checkpoint', noteWith(wrong)), policy },
    { ...bundle('scanned', 'the log is at hand, and has no more', sound), log: files },
    { ...bundle('omitted', 'the log has an event that was left out', omitted), log: files },
    { ...bundle('fork', 'the log at hand is another one', sound), log: forked },
    {
      ...bundle('fork-size', 'the log at hand is shorter: nothing more is read of it', omitted),
      log: { ...files, checkpoint: utf8(log.checkpoint(3)) },
    },
    {
      ...bundle('revision-twice', 'two lines of one revision: the log has the first, so nothing is left out', twice),
      log: files,
    },
    {
      ...bundle('log-cut', 'a file of the log ends within an entry', sound),
      log: { ...files, [entries]: tile.slice(0, -1) },
    },
    {
      ...bundle('log-unsigned', 'nobody signed the checkpoint of the log', sound),
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
const TOLD: readonly (readonly [name: string, why: string, deed: Deed])[] = [
  [
    'lives-word',
    'a payment that its traveller declines, and a refusal that says its flight: sound',
    (script) => script,
  ],
  ['order-word', 'it was declined, and fails for another reason', put('OrderFailed', { failure: 'payment_declined' })],
  [
    'order-approved',
    'it is approved in the place of that, and not completed: sound',
    (script) => {
      const approved = changed('PaymentDeclined', ({ bookingId, declinedAt }) => ({
        bookingId,
        approvedAt: declinedAt,
      }));
      const failed = put('OrderFailed', { failure: 'payment_not_completed' })(approved(script));
      return failed.map((one) => (one.type === 'PaymentDeclined' ? { ...one, type: 'PaymentApproved' } : one));
    },
  ],
  ['order-unasked', 'it is declined, and nobody was asked', without('PaymentChallenged')],
  [
    'order-agent',
    'its agent declines',
    (script) => script.map((one) => (one.type === 'PaymentDeclined' ? { ...one, clientId: 'alcada-pilot' } : one)),
  ],
  [
    'refusal-flight',
    'a refusal for a flight that its constraint allows',
    put('MandateChargeRefused', { from: 'GRU' }, 2),
  ],
  [
    'refusal-allowed',
    'a refusal that says something else of its constraint',
    put('MandateChargeRefused', { allowed: { from: ['SSA'] } }, 2),
  ],
];

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
  const [sound, mixed] = [await log.bundle(SINCE, all), await both.bundle(SINCE, all)];
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
  const before = await grown.bundle(SINCE, all, { size: log.size });
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
  for (const [name, why, deed] of TOLD)
    words.push(bundle(name, why, await logOf(deed(told(lifeScript())), () => true).bundle(SINCE, all)));
  const flight = logOf(onFlight(lifeScript(), 'AL4012'), () => true);
  const another = logOf(onFlight(lifeScript(), 'AL4013'), () => true);
  return [
    ...words,
    bundle('lives-flight', 'a flight whose id is not its number: sound', await flight.bundle(SINCE, all, V3)),
    bundle('checkout-flight', 'it holds the seats of another of that number', await another.bundle(SINCE, all, V3)),
    bundle('form-flight', 'the second version knows no other id than the number', await flight.bundle(SINCE, all)),
    bundle('lives-v2', 'the same in the second version, and in a log of the second form: sound', sound),
    bundle('lives-both', 'the same in a log that began in the first form: sound', mixed),
    bundle('lives-v1', 'the same in a log of the first form: sound', await logOf(lifeScript()).bundle(SINCE, all)),
    bundle(
      'format-key',
      'a line of the second version without a key',
      editedAt(sound, 1, ({ ...event }) => {
        return { ...event, key: undefined };
      }),
    ),
    bundle(
      'format-key-bits',
      'a key of which bits are left over',
      sound.map((line) => line.replace(/"key":"([^"]{42})./, '"key":"$1B')),
    ),
    bundle(
      'format-key-early',
      'a line of the first version with a key',
      early.map((line, at) => (at === 1 ? JSON.stringify({ ...parseEvent(line, 1), key: other }) : line)),
    ),
    bundle('inclusion-key', 'the key of a stream is another one', keyedAs(LIFE.delegation, other)),
    bundle(
      'pseudonym-key',
      'a stream has two keys',
      editedAt(sound, 6, (event) => ({ ...event, key: other })),
    ),
    bundle(
      'pseudonym-back',
      'an entry is said to be of the first form, after one of the second',
      editedAt(sound, again, (event) => ({ ...event, pseudonym: older.at(-1)?.pseudonym })),
    ),
    { ...bundle('scanned-v2', 'the log is at hand, and has no more: sound', sound), log: files },
    {
      ...bundle(
        'scanned-both',
        'the same of both forms, and nothing shows that the keys of older streams are theirs: sound',
        mixed,
      ),
      log: mixedFiles,
    },
    {
      ...bundle(
        'scanned-foreign',
        'the same, and the key of a stream without an entry of the second form is another one: sound',
        foreign,
      ),
      log: mixedFiles,
    },
    { ...bundle('omitted-last', 'the last event of a stream was left out, which its key finds', cut), log: files },
    { ...bundle('omitted-middle', 'one in the middle', withoutLast(sound, 'MandateReleased')), log: files },
    { ...bundle('scanned-grown', 'the log has gone on since, as its tiles prove: sound', before), log: grownFiles },
    {
      ...bundle('log-grown', 'its tiles do not prove it', before),
      log: { ...grownFiles, [rest]: (grownFiles[rest] ?? new Uint8Array()).map((byte) => byte ^ 1) },
    },
    {
      ...bundle('log-back', 'the log goes back to the first form', await back.bundle(SINCE, all)),
      log: await filesOf(back),
    },
    {
      ...bundle(
        'log-marked',
        'a bundle of the first version, and a log of the second form',
        await log.bundle(SINCE, all, V1),
      ),
      log: files,
    },
    receiptOf('receipt-v2', 'the proof of a receipt of the second form: sound', receipt),
    { ...receiptOf('receipt-v2-scanned', 'the log is at hand: sound', receipt), log: files },
    {
      ...receiptOf(
        'receipt-v1-scanned',
        'one of the first form, and the log has both: sound',
        (await receiptsOf(both))[0],
      ),
      log: mixedFiles,
    },
    receiptOf('inclusion-mark', 'its mark is another one', wrong),
    receiptOf('format-receipt-key', 'it has a key, and no mark', keyed),
  ];
};

const receiptOf = (name: string, why: string, text = ''): Vector => ({
  name,
  why,
  kind: 'tlog-proof',
  file: utf8(text),
});

/** The proofs of the receipts of a log. */
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
    receipt('receipt', 'the proof of a receipt', sound),
    receipt(
      'receipt-edited',
      'its amount was edited',
      proofOf('OrderPaid', (logged) => JSON.stringify(logged).replace('57990', '5799')),
    ),
    receipt('receipt-moved', 'it is said to stand elsewhere', sound.replace(/\nindex \d+/, '\nindex 3')),
    receipt('receipt-other', 'it is of another event', proofOf('AgentAuthorized')),
    receipt(
      'receipt-newline',
      'its event ends in a newline',
      proofOf('OrderPaid', (logged) => `${JSON.stringify(logged)}\n`),
    ),
    receipt('receipt-unsigned', 'its checkpoint is not signed', sound.replace(/\n— .*/, '')),
    { ...receipt('receipt-scanned', 'the log is at hand', sound), log: await filesOf(log) },
  ];
};
