import { CORRUPTIONS } from '../../audit/corruptions.js';
import { Draft } from '../../audit/draft.js';
import type { Books } from '../../support/books.js';
import { soundBooks } from '../../support/sound-log.js';
import type { StoredEvent } from '#event-store';
import type { Answer, End, Given, Transparency, TreeHead } from '../end.js';
import { judge } from '../judge.js';
import { GIVEN_NAME } from './people.js';
import { endOf, logOf, placeOf } from './testing/sound-end.js';

let books: Books;
let sound: End;
/** An order that was paid, and its mandate. */
let order: { readonly id: string; readonly mandateId: string; readonly ticketCode: string; readonly total: number };
/** Who asked, at the beginning, and was answered in the end. */
let given: Given;

beforeAll(async () => {
  books = await soundBooks(8);
  sound = endOf(Draft.of(books));
  const { log } = sound;
  const [paid] = books.events.flatMap(({ type, data, stored }) =>
    type === 'OrderPaid' ? [{ id: stored.stream.slice('order-'.length), ...data }] : [],
  );
  const started = log[placeOf(log, 'BookingCheckoutStarted', 'orderId', paid?.id)];
  if (!paid || !started) throw new Error('no order is paid');
  const { ticketCode, payment } = paid;
  order = { id: paid.id, mandateId: String(started.data['mandateId']), ticketCode, total: payment.amount.amount };
  given = { asked: -1, answered: log.length, holder: 'ana', clientId: 'pilot', refusal: null };
}, 600_000);

/** What the judge finds where these members of a sound end are others. */
const judged = (changes: Partial<End>): readonly string[] => judge({ ...sound, ...changes });
const told = (...answers: readonly Answer[]): readonly string[] => judged({ answers });
const bookingOf = () =>
  String(sound.log[placeOf(sound.log, 'BookingTicketed', 'orderId', order.id)]?.stream.slice('booking-'.length));

const startOf = (orderId: string) => placeOf(sound.log, 'BookingCheckoutStarted', 'orderId', orderId);

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const BEFORE = '2000-01-01T00:00:00.000Z';
const booked = (more: object): Partial<End> => ({
  log: sound.log.map((event) =>
    event.type === 'BookingCreated' ? { ...event, data: { ...event.data, ...more } } : event,
  ),
});
const started = (more: object): Partial<End> => ({
  log: sound.log.map((event) =>
    event.type === 'BookingCheckoutStarted' ? { ...event, data: { ...event.data, ...more } } : event,
  ),
});
const repriced = (event: StoredEvent): StoredEvent =>
  event.type === 'FlightScheduled' ? { ...event, data: { ...event.data, fares: [] } } : event;

const readModel = (name: string, bodies: ReadonlyMap<string, unknown>): Partial<End> => ({
  readModels: new Map([...sound.readModels, [name, bodies]]),
});
const changed = (name: string, members: object): Partial<End> => {
  const bodies = [...(sound.readModels.get(name) ?? [])];
  return readModel(name, new Map(bodies.map(([id, body]) => [id, { ...(body as object), ...members }])));
};
const emptied = (name: string): Partial<End> => readModel(name, new Map());
const captured = (orderId: string): Partial<End> => ({ captures: [...sound.captures, { orderId, at: 1e6 }] });
const documented = (name: string, id: string, body: object): Partial<End> => ({
  documents: new Map([...sound.documents, [name, new Map([[id, body]])]]),
});

describe('the judge of lives', () => {
  it('finds nothing in a sound end, whose read models the product has folded', () => {
    expect(judge(sound)).toEqual([]);
  });

  it.each(CORRUPTIONS.filter(({ found }) => found !== 'nothing').map((one) => [one.name, one] as const))(
    'sees in log and ledger that %s',
    (_, { by, hidden }) => {
      const draft = Draft.of(books);
      by(draft);
      if (hidden !== 'edited') draft.rehash();
      const log = logOf(draft);
      const documents = new Map([['payment-ledger', draft.ledger]]);
      expect(judge({ ...sound, log, written: log.map((__, place) => place), documents })).not.toEqual([]);
    },
  );

  it.each<[string, () => Partial<End>, RegExp]>([
    ['an order captured twice', () => captured(order.id), /captured twice/],
    ['a capture that nobody began', () => captured('none'), /never began/],
    ...['without seats', 'without money', 'before it was placed'].map(
      (finding): [string, () => Partial<End>, RegExp] => [
        `a capture ${finding}`,
        () => ({ captures: sound.captures.map((one) => ({ ...one, at: startOf(one.orderId) })) }),
        new RegExp(finding),
      ],
    ),
    [
      'a capture that the ledger does not have',
      () => ({ captures: sound.captures.slice(1) }),
      /is captured, and was it/,
    ],
    ['a sealed tree with another root', () => sealed((head) => ({ ...head, root: 'AAAA' })), /another root/],
    ['a sealed tree that reaches too far', () => sealed((head) => ({ ...head, position: '9' })), /reaches to/],
    ['a tree longer than its log', () => sealed((head) => ({ ...head, size: 1e6 })), /of a log of/],
    [
      'a tree that was made shorter',
      () => ({ transparency: { ...parts(), heads: [...parts().heads].reverse() } }),
      /was sealed after one of/,
    ],
    [
      'an end of the log that is not sealed',
      () => ({ transparency: { ...parts(), heads: parts().heads.slice(0, 1) } }),
      /the last tree has/,
    ],
    [
      'a tile with another hash',
      () => ({
        transparency: { ...parts(), tiles: new Map([['0-0', { hashes: Buffer.alloc(64).toString('base64') }]]) },
      }),
      /tile 0-0/,
    ],
    ['another price than was promised', () => booked({ total: brl(1) }), /and 1 was promised/],
    [
      'a price above what was promised',
      () => booked({ total: brl(1), expiresAt: BEFORE }),
      /more than was promised or named/,
    ],
    [
      'a price that the flight no longer had',
      () => ({ log: booked({ expiresAt: BEFORE }).log?.map(repriced) }),
      /its flight did not/,
    ],
    [
      'a challenge that keeps its place',
      () => documented('challenge-slots', 'ana', { waiting: { o1: {} } }),
      /place for the challenge/,
    ],
    [
      'a mandate that keeps its place',
      () =>
        documented('pending-mandates', 'ana', {
          waiting: { m1: { lapsesAt: '2031-01-01T00:00:00.000Z', clientId: 'a' } },
        }),
      /place for mandate/,
    ],
    ['an order without those it was paid for', () => started({ named: true }), /who flies is not kept/],
    ['a name in an event', () => started({ named: true, [GIVEN_NAME]: 1 }), /an event names/],
    ['a name in another document', () => documented('buyers', 'o1', { GIVEN_NAME }), /buyers names/],
    ['a card that is known for ever', () => documented('card-fingerprints', order.id, {}), /card of order/],
    [
      'a checkout that recovery does not finish',
      () => readModel('open-checkouts', new Map([['b1', {}]])),
      /checkout of booking b1 to finish/,
    ],
    [
      'a mandate that recovery does not end',
      () => readModel('open-mandates', new Map([['m1', { dueAt: '2029-01-01T00:00:00.000Z' }]])),
      /mandate m1 to end/,
    ],
    ['a list of orders that is behind', () => changed('orders', { kind: 'pending' }), /orders .* kind is "pending"/],
    ['a list of mandates with a wrong sum', () => changed('mandates', { consumed: 1 }), /mandates .* consumed is 1/],
    ['a list of mandates that lacks them', () => emptied('mandates'), /mandates lacks/],
    ['a list of bookings with another price', () => changed('bookings', { total: null }), /bookings .* total/],
    ['a list of agents with another cap', () => changed('agents', { delegation: null }), /agents .* delegation/],
    ['a flight with other seats', () => changed('flights', { seatsLeft: -1 }), /flights .* seatsLeft/],
    ['figures that count otherwise', () => changed('agent-facts', { facts: {} }), /agent-facts of/],
    ['figures that are missing', () => emptied('agent-facts'), /agent-facts lack/],
    ['a read model that nobody knows', () => ({ readModels: new Map([['others', new Map()]]) }), /nobody judges/],
  ])('sees %s', (_, change, finding) => {
    expect(judged(change())).toContainEqual(expect.stringMatching(finding));
  });
});

describe('of a log that somebody changed, the judge', () => {
  /** What it finds in a changed log, of which somebody asked and was answered. */
  const drafted = (change: (draft: Draft) => void, answersIn: (log: End['log']) => readonly Answer[] = () => []) => {
    const draft = Draft.of(books);
    change(draft);
    const end = endOf(draft);
    return judge({ ...end, answers: answersIn(end.log) });
  };
  const of = (orderId: string) => (event: { readonly data: Readonly<Record<string, unknown>> }) =>
    event.data['orderId'] === orderId;
  const mandate = (draft: Draft) => draft.first('MandateCreated', ({ data }) => data['mandateId'] === order.mandateId);
  const started = (draft: Draft) => draft.first('BookingCheckoutStarted', of(order.id));
  const asked = (log: End['log']): readonly Answer[] => {
    const place = placeOf(log, 'BookingCheckoutStarted', 'orderId', order.id);
    return [{ ...given, did: 'order', orderId: order.id, bookingId: bookingOf(), refusal: 'open', asked: place - 0.5 }];
  };
  const afterChallenge = (draft: Draft) => {
    const { stream } = draft.first('PaymentChallenged');
    return (event: { readonly stream: string }) => event.stream === stream;
  };
  /** Challenges of one holder, of so many seats each. */
  const challenged = (draft: Draft, count: number, passengers: number): void => {
    const [start, challenge] = [draft.first('BookingCheckoutStarted'), draft.first('PaymentChallenged')];
    for (let place = 0; place < count; place += 1) {
      const orderId = `o${place}`;
      const line = { ...(start.data['line'] as object), passengers };
      const begun = draft.insert(challenge, start, { data: { ...start.data, orderId, line } });
      draft.insert(begun, challenge, { stream: `order-${orderId}` });
    }
  };

  /** The flight is a timetable, put on sale on these days; the last event of it. */
  const onSale = (draft: Draft, ...spans: readonly (readonly [first: string, last: string])[]) => {
    const flight = draft.first('FlightScheduled');
    const terms = { ...flight.data, timeZone: 'America/Sao_Paulo', days: '1234567', firstDate: '2026-01-15' };
    const stream = `timetable-${String(flight.data['flightNumber'])}`;
    let last = draft.insert(flight, flight, { stream, type: 'TimetableScheduled', data: terms });
    for (const [first, end] of spans) {
      const data = { first, last: end, openedAt: LONG_AGO };
      last = draft.insert(last, last, { stream: 'days-on-sale', type: 'DaysOpened', data });
    }
    return last;
  };
  const FIRST = ['2026-01-15', '2026-03-15'] as const;

  it.each<[string, (draft: Draft) => void, RegExp]>([
    ['a day opened twice', (draft) => onSale(draft, FIRST, FIRST), /2026-01-15 was opened after 2026-03-15/],
    ['a day left out', (draft) => onSale(draft, FIRST, ['2026-03-17', '2026-03-17']), /2026-03-17 was opened after/],
    ['days that go back', (draft) => onSale(draft, FIRST, ['2026-03-16', '2026-03-15']), /no day was opened/],
    [
      'a booking of a day that is not open',
      (draft) => {
        onSale(draft, FIRST);
        const { flightNumber } = draft.first('TimetableScheduled').data;
        Object.assign(draft.first('BookingCreated').data, { flightNumber, departureDate: '2026-03-16' });
      },
      /BookingCreated of .* on 2026-03-16, which was not open/,
    ],
    [
      'an open day with other terms',
      (draft) => draft.insert(onSale(draft, FIRST), draft.first('TimetableScheduled')),
      /has other terms on 2026-01-15/,
    ],
    ['a capture above the ceiling', (draft) => (mandate(draft).data['limit'] = brl(1)), /captured of 1/],
    [
      'a capture after the end',
      (draft) => {
        for (const { data } of [...draft.all('MandateCreated'), ...draft.all('MandateNarrowed')])
          data['expiresAt'] = LONG_AGO;
      },
      /its mandate had expired/,
    ],
    ['a late capture', (draft) => (reserved(draft).data['reservedAt'] = LONG_AGO), /ms after its reservation/],
    [
      'a capture after its challenge',
      (draft) => {
        for (const event of draft.all('PaymentChallenged')) event.data['expiresAt'] = LONG_AGO;
      },
      /its challenge had expired/,
    ],
    [
      'a capture that its holder did not approve',
      (draft) => draft.remove(draft.first('PaymentApproved')),
      /was captured without the word of its holder/,
    ],
    [
      'a payment that its holder did not approve',
      (draft) => draft.remove(draft.first('PaymentApproved')),
      /was paid, and its holder said nothing/,
    ],
    [
      'a payment that its holder refused',
      (draft) => {
        const said = draft.first('PaymentApproved');
        const { bookingId, approvedAt: declinedAt } = said.data;
        Object.assign(said, { type: 'PaymentDeclined', data: { bookingId, declinedAt } });
      },
      /was paid, and its holder said PaymentDeclined/,
    ],
    [
      'an approval that is told as none',
      (draft) => {
        const [said, paid] = [draft.first('PaymentApproved'), draft.first('OrderPaid', afterChallenge(draft))];
        const data = { failure: 'payment_challenge_failed', failedAt: said.data['approvedAt'] };
        Object.assign(paid, { type: 'OrderFailed', data });
      },
      /failed as not confirmed, and its holder approved/,
    ],
    ['four challenges at once', (draft) => challenged(draft, 4, 1), /4 challenges of ana wait/],
    ['challenges of ten seats', (draft) => challenged(draft, 2, 5), /1[01] seats of a flight wait/],
  ])('sees %s', (_, change, finding) => {
    expect(drafted(change)).toContainEqual(expect.stringMatching(finding));
  });

  it('sees an order on a mandate that was over before it was asked for (rule 1)', () => {
    const change = (draft: Draft) => {
      const closed = draft.first('MandateClosed');
      const { stream } = draft.first('MandateOpened', ({ data }) => data['mandateId'] === order.mandateId);
      draft.insert(mandate(draft), closed, { stream, data: { ...closed.data, mandateId: order.mandateId } });
    };
    expect(drafted(change, asked)).toContainEqual(expect.stringMatching(/was opened on .* which was over/));
  });

  it('sees a mandate that was chosen and cannot pay (rule 20)', () => {
    const implicit = (draft: Draft) => (started(draft).data['mandateSelection'] = 'implicit');
    expect(drafted(implicit, asked)).not.toContainEqual(expect.stringMatching(/chose mandate/));
    const change = (draft: Draft) => {
      implicit(draft);
      mandate(draft).data['constraints'] = { from: ['XXX'] };
    };
    expect(drafted(change, asked)).toContainEqual(expect.stringMatching(/chose mandate/));
  });

  const LONG_AGO = '2020-01-01T00:00:00.000Z';
  const brl = (amount: number) => ({ amount, currency: 'BRL' });
  const reserved = (draft: Draft) => draft.first('MandateReserved', of(order.id));
});

describe('of what was answered, the judge', () => {
  const paid = (more: Partial<Answer> = {}): Answer =>
    ({ ...given, did: 'order', orderId: order.id, bookingId: bookingOf(), paid: order, ...more }) as Answer;
  const decided = (did: string, more: object = {}): Answer =>
    ({ ...given, did, mandateId: order.mandateId, ...more }) as unknown as Answer;

  function notSo(refusal: string, when: () => Partial<Answer>): [string, () => readonly Answer[], RegExp] {
    const finding = new RegExp(`refused as ${refusal}, which was not so`);
    return [`refused as ${refusal}`, () => [{ ...refused(refusal), ...when() } as Answer], finding];
  }

  it('believes what is so', () => {
    const { captures } = sound;
    const [last] = captures.slice(-1);
    const late = placeOf(sound.log, 'BookingTicketed', 'orderId', last?.orderId);
    const answers = [
      paid(),
      decided('create'),
      decided('narrow', { limit: 1e9 }),
      decided('revoke'),
      decided('cap', { cap: null }),
    ];
    expect(late).toBeGreaterThan(0);
    const refusals = ['order_in_progress', 'booking_already_ordered', 'mandate_expired'].map((code) => refused(code));
    expect(told(...answers, ...refusals, { ...given, did: 'deny', requestId: 'r1', mandates: [] })).toEqual([]);
  });

  it.each<[string, () => readonly Answer[], RegExp]>([
    ['paid before it was', () => [paid({ answered: 0 })], /before it was captured/],
    ['paid with another ticket', () => [paid({ paid: { ...order, ticketCode: '1' } })], /not as it was/],
    ['paid with another total', () => [paid({ paid: { ...order, total: 1 } })], /not as it was/],
    ['paid and never ticketed', () => [paid({ orderId: 'none' })], /has no ticket/],
    ['refused and charged', () => [paid({ refusal: 'mandate_expired' })], /and is charged/],
    ...['seats_unavailable', 'mandate_paused', 'mandate_revoked', 'mandate_limit_exceeded'].map((refusal) =>
      notSo(refusal, () => ({ asked: startOf(order.id), answered: startOf(order.id) })),
    ),
    notSo('order_in_progress', () => ({ asked: ticketed() + 1 })),
    notSo('booking_already_ordered', () => ({ answered: ticketed() - 1 })),
    ['paid with another total than was expected', () => [paid({ expectedTotal: 1 })], /and its agent expected 1/],
    ['paid with more than it accepts', () => [paid({ acceptUpTo: 1 })], /was paid with \d+, above 1/],
    ['two orders under one key', () => [keyed('1', '{}'), keyed('1', '{}', otherOrder())], /key 1 led to orders/],
    ['two requests under one key', () => [keyed('1', '{}'), keyed('1', '{"a":1}')], /used for two requests/],
    ['granted and not there', () => [decided('create', { mandateId: 'none' })], /was answered as granted/],
    ['waiting and not there', () => [decided('create', { mandateId: 'none', status: 'pending' })], /as waiting/],
    ['granted with another ceiling', () => [decided('create', { limit: 1 })], /never had that/],
    ['narrowed and still counted', () => [decided('narrow', { limit: 1, answered: firstOpened() })], /still counts/],
    [
      'revoked and paid afterwards',
      () => [decided('revoke', { answered: placeOf(sound.log, 'MandateReserved', 'orderId', order.id) })],
      /paid order/,
    ],
    [
      'revoked with money set aside',
      () => [decided('revoke', { answered: placeOf(sound.log, 'MandateReserved', 'orderId', order.id) })],
      /still reserved/,
    ],
    ['revoked and not closed', () => [decided('revoke', { answered: firstClosed() - 1 })], /was not closed/],
    [
      'paused and not stopped',
      () => [decided('pause', { answered: placeOf(sound.log, 'MandateReserved', 'orderId', order.id) })],
      /was not stopped/,
    ],
    [
      'a consent that granted otherwise',
      () => [{ ...given, did: 'consent', mandates: [{ mandateId: order.mandateId, limit: 1 }] }],
      /did not grant/,
    ],
    [
      'a consent without its cap',
      () => [{ ...given, did: 'consent', requestId: 'r1', cap: 1 }],
      /granted under a cap of 1, which was not set/,
    ],
    [
      'a refused consent that granted',
      () => [{ ...given, did: 'deny', requestId: 'r1', mandates: [{ mandateId: order.mandateId, limit: 1 }] }],
      /was refused, and granted/,
    ],
    [
      'two codes of one consent',
      () => [
        { ...given, did: 'consent', requestId: 'r1' },
        { ...given, did: 'consent', requestId: 'r1' },
      ],
      /two codes/,
    ],
    ['an agent revoked that was not', () => [{ ...given, did: 'revoke agent' }], /answered as revoked/],
    [
      'shown otherwise than it ever was',
      () => [
        {
          ...given,
          did: 'look',
          mandateId: order.mandateId,
          amounts: { limit: 2, consumed: 1, reserved: 1, remaining: 0 },
        },
      ],
      /not so at any moment/,
    ],
    [
      'shown with a wrong sum',
      () => [
        {
          ...given,
          did: 'look',
          mandateId: order.mandateId,
          amounts: { limit: 2, consumed: 1, reserved: 0, remaining: 0 },
        },
      ],
      /was shown as/,
    ],
  ])('does not believe %s', (_, answers, finding) => {
    expect(told(...answers())).toContainEqual(expect.stringMatching(finding));
  });

  it('does not believe that a mandate expired which was revoked before, or that all is spent while it is not', () => {
    const amounts = { limit: 2, consumed: 1, reserved: 1, remaining: 0 };
    const seen: Answer = { ...given, did: 'look', mandateId: order.mandateId, amounts };
    const draft = Draft.of(books);
    const created = draft.first('MandateCreated', ({ data }) => data['mandateId'] === order.mandateId);
    draft.insert(created, draft.first('MandateRevoked'), { stream: created.stream });
    const log = logOf(draft);
    const found = judged({
      log,
      written: log.map((__, place) => place),
      answers: [
        { ...seen, status: 'exhausted' },
        { ...seen, status: 'expired', asked: startOf(order.id) },
        { ...refused('mandate_expired'), asked: startOf(order.id) },
      ],
    });
    for (const finding of [/shown as exhausted/, /shown as expired/, /refused as mandate_expired, which/])
      expect(found).toContainEqual(expect.stringMatching(finding));
  });

  it('does not believe that everything was paused where something is reserved afterwards', () => {
    const { holder } = books.events.flatMap(({ type, data }) => (type === 'MandateCreated' ? [data] : []))[0] ?? given;
    const answers: readonly Answer[] = [{ ...given, holder, did: 'pause all', answered: 1 }];
    expect(judged({ answers })).toContainEqual(
      expect.stringMatching(/answered as paused, and then came MandateReserved/),
    );
  });

  it('does not believe that more was spent than a cap that was answered', () => {
    const draft = Draft.of(books);
    const set = draft.first('SpendingCapSet');
    set.data['cap'] = { amount: 1, currency: 'BRL' };
    const log = logOf(draft);
    const answered = draft.events.indexOf(set);
    const answers: readonly Answer[] = [{ ...given, did: 'cap', cap: 1, answered }];
    expect(judged({ log, answers })).toContainEqual(expect.stringMatching(/a cap of 1 was answered, and/));
  });

  it.each([
    ['more than a cap leaves room for', 'BRL', 1, /bring it to \d+ under 1/],
    ['another currency than that of a cap', 'USD', 10 ** 9, /in another currency than its cap/],
  ] as const)('does not believe that mandates may stay open in %s', (_, currency, amount, finding) => {
    const draft = Draft.of(books);
    const set = draft.first('SpendingCapSet');
    Object.assign(set.data, { cap: { amount, currency }, ending: [] });
    expect(judged({ log: logOf(draft) })).toContainEqual(expect.stringMatching(finding));
  });

  const refused = (refusal: string): Answer =>
    ({ ...paid({ refusal }), orderId: 'none', mandateId: order.mandateId, paid: undefined }) as Answer;
  const ticketed = () => placeOf(sound.log, 'BookingTicketed', 'orderId', order.id);
  const keyed = (text: string, body: string, orderId = order.id): Answer =>
    paid({ key: { text, body }, orderId, paid: undefined });
  const otherOrder = () => sound.captures.find(({ orderId }) => orderId !== order.id)?.orderId ?? '';
  const firstOpened = () => placeOf(sound.log, 'MandateOpened', 'mandateId', order.mandateId);
  const firstClosed = () => placeOf(sound.log, 'MandateClosed', 'mandateId', order.mandateId);
});

const parts = (): Transparency => {
  if (!sound.transparency) throw new Error('nobody sealed');
  return sound.transparency;
};
const sealed = (change: (head: TreeHead) => TreeHead): Partial<End> => {
  const { heads } = parts();
  return { transparency: { ...parts(), heads: heads.map(change) } };
};
