import type { StoredEvent } from '#event-store';
import { type Checkout, type Constraints, mandateEvents } from '#events';
import { money, plus } from '#kernel';
import { type Condition, mandateConditions, momentOf, orderConditions } from './permission.js';

const AT = '2026-01-31T12:00:00.000Z';
const price = money(300_00, 'BRL');
const checkout: Checkout = {
  ...{ holder: 'h', clientId: 'agente', orderId: 'o', bookingId: 'b', mandateId: 'm', mandateSelection: 'explicit' },
  line: {
    ...{ description: 'Voo AL4011', flightNumber: 'AL4011', from: 'GRU', to: 'REC', departureDate: null },
    ...{ departureTime: '09:50', arrivalTime: '13:20', arrivalDayOffset: 0, fareCode: 'LEVE', fareName: 'Leve' },
    ...{ baggage: 'none', passengers: 1, unitPrice: price, subtotal: price },
  },
  total: price,
  holdBefore: plus(AT, 60_000),
};
const terms = {
  ...{ mandateId: 'm', holder: 'h', clientId: 'agente', scope: ['order:write', 'payment:execute'] },
  ...{ limit: money(500_00, 'BRL'), minutes: 60, startsAt: AT, expiresAt: plus(AT, 3_600_000), grantedBy: 'traveller' },
};

type Said = readonly [type: string, data: object, minute: number];

/** A stream of these, each so many minutes after its mandate was created. */
const stream = (...said: readonly Said[]): readonly StoredEvent[] =>
  said.map(([type, data, minute], revision) => ({
    ...{ stream: 's', type, revision, position: String(revision), data: data as StoredEvent['data'] },
    metadata: {
      ...{ eventId: 'e', occurredAt: plus(AT, minute * 60_000), actor: { holder: 'h', clientId: 'agente' } },
      ...{ schemaVersion: 1, hash: 'a'.repeat(64), $correlationId: 'c', $causationId: 'c' },
    },
  }));

async function* read(events: readonly StoredEvent[]): AsyncGenerator<StoredEvent> {
  await Promise.resolve();
  yield* events;
}

const created = (change: object = {}): Said => ['MandateCreated', { ...terms, ...change }, 0];
const reserved = (orderId: string, amount = price): Said => [
  'MandateReserved',
  { orderId, bookingId: 'b', amount, holdBefore: plus(AT, 60_000), reservedAt: plus(AT, 60_000) },
  2,
];
const consumed = (orderId: string): Said => [
  'MandateConsumed',
  { orderId, amount: money(1_00, 'BRL'), consumedAt: plus(AT, 60_000) },
  1,
];

const conditionsOf = async (...before: readonly Said[]): Promise<readonly Condition[]> => {
  const moment = await momentOf(checkout, read(stream(...before, reserved('o'))));
  expect(moment).not.toBeNull();
  return moment ? mandateConditions(moment) : [];
};
const brokenOf = (conditions: readonly Condition[]) =>
  conditions.filter(({ holds }) => !holds).map(({ name, path }) => `${name} ${path}`);
const eventOf = (number: number) => `/auditoria/mandatos/m?evento=${number}`;

/** Of each constraint one that this purchase violates, and one that it keeps; one that is added has to be told of here. */
const EACH: {
  readonly [Name in keyof Constraints]-?: readonly [name: string, kept: Constraints, broken: Constraints];
} = {
  from: ['Origem', { from: ['CGH', 'GRU'] }, { from: ['CGH'] }],
  to: ['Destino', { to: ['REC'] }, { to: ['SSA'] }],
  maxPricePerSeat: ['Preço por assento', { maxPricePerSeat: price }, { maxPricePerSeat: money(299_99, 'BRL') }],
  maxOrders: ['Número de pedidos', { maxOrders: 2 }, { maxOrders: 1 }],
  orderTotal: [
    'Total do pedido',
    { orderTotal: { min: price, max: price } },
    { orderTotal: { max: money(299_99, 'BRL') } },
  ],
};

describe('why a purchase was permitted', () => {
  it('is that all of its conditions held, each with the event that says so', async () => {
    const conditions = await conditionsOf(created());
    expect(conditions.map(({ name, holds, path }) => [name, holds, path])).toEqual([
      ['Mandato em vigor', true, eventOf(1)],
      ['Disponível antes', true, eventOf(2)],
      ['Condições', true, eventOf(1)],
      ['Agente', true, eventOf(1)],
      ['Escopo', true, eventOf(1)],
      ['Concessão', true, eventOf(1)],
    ]);
  });

  it.each<[what: string, before: readonly Said[], broken: readonly string[]]>([
    ['ended before', [created({ expiresAt: plus(AT, 60_000) })], [`Mandato em vigor ${eventOf(1)}`]],
    ['was revoked', [created(), ['MandateRevoked', { revokedAt: AT }, 1]], [`Mandato em vigor ${eventOf(2)}`]],
    ['was paused', [created(), ['MandatePaused', { pausedAt: AT }, 1]], [`Mandato em vigor ${eventOf(2)}`]],
    ['had less left', [created(), reserved('p', money(200_01, 'BRL'))], [`Disponível antes ${eventOf(3)}`]],
    [
      'was narrowed below it',
      [created(), ['MandateNarrowed', { limit: money(299_99, 'BRL'), expiresAt: terms.expiresAt, narrowedAt: AT }, 1]],
      [`Disponível antes ${eventOf(3)}`],
    ],
    ['is of another currency', [created({ limit: money(500_00, 'USD') })], [`Disponível antes ${eventOf(2)}`]],
    ['is of another agent', [created({ clientId: 'outro' })], [`Agente ${eventOf(1)}`]],
    ['is of another traveller', [created({ holder: 'outro' })], [`Agente ${eventOf(1)}`]],
    ['does not let it charge', [created({ scope: ['order:write'] })], [`Escopo ${eventOf(1)}`]],
  ])('is not so of a mandate that %s', async (_, before, broken) => {
    expect(brokenOf(await conditionsOf(...before))).toEqual(broken);
  });

  it('is not so where nobody had granted it', async () => {
    const { startsAt: requestedAt, expiresAt: lapsesAt, grantedBy: _, ...asked } = terms;
    const conditions = await conditionsOf(['MandateRequested', { ...asked, requestedAt, lapsesAt }, 0]);
    expect(brokenOf(conditions)).toEqual([`Mandato em vigor ${eventOf(1)}`, `Concessão ${eventOf(1)}`]);
  });

  it.each(Object.entries(EACH))('says of %s alone whether it was kept', async (_, [name, kept, broken]) => {
    const of = async (constraints: Constraints) =>
      (await conditionsOf(created({ constraints }), consumed('antes')))
        .filter((one) => !['Mandato em vigor', 'Disponível antes', 'Agente', 'Escopo', 'Concessão'].includes(one.name))
        .map((one) => [one.name, one.holds, one.path, /^.+; este .+$/.test(one.text)]);
    expect(await of(kept)).toEqual([[name, true, eventOf(1), true]]);
    expect(await of(broken)).toEqual([[name, false, eventOf(1), true]]);
  });

  it('tells each of several constraints that is broken', async () => {
    const constraints = Object.assign({}, ...Object.values(EACH).map(([, , broken]) => broken)) as Constraints;
    const conditions = await conditionsOf(created({ constraints }), consumed('antes'));
    expect(brokenOf(conditions)).toEqual(Object.values(EACH).map(([name]) => `${name} ${eventOf(1)}`));
  });

  it('is not known of a mandate that never decided about the order, or cannot be read', async () => {
    expect(await momentOf(checkout, read(stream(created(), reserved('p'))))).toBeNull();
    expect(await momentOf(checkout, read(stream(['MandateNovel', {}, 0], reserved('o'))))).toBeNull();
  });

  it('knows every constraint of the events of a mandate', () => {
    const { constraint } = mandateEvents.MandateChargeRefused.shape;
    expect(Object.keys(EACH)).toEqual(constraint.unwrap().options);
  });
});

describe('what came after the mandate', () => {
  const payment = {
    ...{ id: 'p', processor: 'test', method: 'card', brand: 'visa', last4: '4242', amount: price, capturedAt: AT },
  };
  const paid: Said = ['OrderPaid', { ticketCode: 't', payment, paidAt: AT }, 3];
  const failed: Said = ['OrderFailed', { failure: 'payment_declined', failedAt: AT }, 3];
  const challenged: Said = ['PaymentChallenged', {}, 1];
  const approved: Said = ['PaymentApproved', {}, 2];
  const declined: Said = ['PaymentDeclined', {}, 2];

  it.each<[what: string, events: readonly Said[], conditions: readonly (readonly [string, boolean, number])[]]>([
    [
      'was paid',
      [paid],
      [
        ['Confirmação', true, 1],
        ['Cobrança', true, 1],
      ],
    ],
    [
      'failed',
      [failed],
      [
        ['Confirmação', true, 1],
        ['Cobrança', false, 1],
      ],
    ],
    ['was asked, and is under way', [challenged], []],
    ['was approved, and is under way', [challenged, approved], [['Confirmação', true, 2]]],
    [
      'was approved, and paid',
      [challenged, approved, paid],
      [
        ['Confirmação', true, 2],
        ['Cobrança', true, 3],
      ],
    ],
    [
      'was declined',
      [challenged, declined, failed],
      [
        ['Confirmação', false, 2],
        ['Cobrança', false, 3],
      ],
    ],
    [
      'was asked in vain',
      [challenged, failed],
      [
        ['Confirmação', false, 1],
        ['Cobrança', false, 2],
      ],
    ],
  ])('is told of an order that %s, each with its event', (_, events, conditions) => {
    const told = orderConditions(stream(...events)).map(({ name, holds, path }) => [name, holds, path]);
    expect(told).toEqual(conditions.map(([name, holds, number]) => [name, holds, `#evento-${number}`]));
  });

  it('names the card as the traveller’s pages do', () => {
    expect(orderConditions(stream(paid)).at(-1)?.text).toBe('feita com Visa final 4242');
  });
});
