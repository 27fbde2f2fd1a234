import type { BookingView } from '#booking';
import type { FareQuoteView, FlightView } from '#catalog';
import { DEFAULT_CONDITIONS } from '#events';
import type { ConditionsView } from '#http';
import type { MandateView } from '#mandate';
import type { OrderView, ReceiptView } from '#order';
import type { EventView } from '#outbox';
import { conditionsView } from '#site';
import type { AgentTrafficView } from '#traffic';
import type { ReadinessView } from './health.controller.js';

/** What an operation is sent, where it takes a body, and what it then answers: in JSON, and by media type in other forms. */
interface OperationExample {
  readonly request?: object;
  readonly answer?: object;
  readonly texts?: Readonly<Record<string, string>>;
}

/** The members of a view, as an object that is none of its class. */
type Shown<View> = { readonly [Name in keyof View]: View[Name] };

const brl = (amount: number) => ({ amount, currency: 'BRL' as const });
const at = (time: string): string => `2026-11-23T${time}.000Z`;

const BOOKING_ID = '0c5b7a4e-2f1d-4c0a-9d1e-5b6f7a8c9d10';
const MANDATE_ID = '2f1c8e6a-9b3d-4f7e-8a2c-1d0e4b5f6a70';
const ORDER_ID = '4c8f1a52-7a0e-4b52-9f39-2a8f6f1d0c11';
const TICKET = '9770000000014';
const LOCATOR = 'K7MPXR';
const HASHES = ['3f', '8c', 'd1'].map((start) => start.padEnd(64, '5e'));

/** Of a passenger from that airport, in cents. */
const TAXES = 3_420;

const LOST: ConditionsView = conditionsView();
const keeping = (until: string, percent: number): ConditionsView =>
  conditionsView({ ...DEFAULT_CONDITIONS, cancellation: [{ until, fee: { percent } }] });
const CLASSIC = keeping('PT24H', 20);
const CONDITIONS: Readonly<Record<string, ConditionsView>> = {
  CONEXAO: CLASSIC,
  CLASSICA: CLASSIC,
  COMPLETA: keeping('PT2H', 0),
};

const fare = (
  code: string,
  name: string,
  price: number,
  arrival: { readonly arrivalTime: string; readonly arrivalDayOffset: number },
  baggage: FlightView['prices'][number]['baggage'],
) => ({
  code,
  name,
  price,
  base: price - TAXES,
  taxes: TAXES,
  conditions: CONDITIONS[code] ?? LOST,
  ...arrival,
  baggage,
  arrivesSameDay: arrival.arrivalDayOffset === 0,
  hasCheckedBag: baggage !== 'none',
});
const SAME_DAY = { arrivalTime: '18:45', arrivalDayOffset: 0 };

const DEPARTURE = { departureDate: '2026-12-03', departureAt: '2026-12-03T18:30:00.000Z' };

/** A flight that the project ships with, so that the examples work as they stand. */
const FLIGHT: Shown<FlightView> = {
  flightId: `AL4012.${DEPARTURE.departureDate}`,
  flightNumber: 'AL4012',
  slug: 'sao-paulo-gru-recife-rec-al4012',
  from: 'GRU',
  to: 'REC',
  fromCity: 'São Paulo',
  toCity: 'Recife',
  departureTime: '15:30',
  ...DEPARTURE,
  durationMin: 195,
  seats: 220,
  currency: 'BRL',
  prices: [
    fare('LEVE', 'Leve', 45_990, SAME_DAY, 'none'),
    fare('CONEXAO', 'Clássica com conexão', 49_990, { arrivalTime: '08:05', arrivalDayOffset: 1 }, 'checked'),
    fare('CLASSICA', 'Clássica', 57_990, SAME_DAY, 'checked'),
    fare('COMPLETA', 'Completa', 72_990, SAME_DAY, 'checked+seat'),
  ],
  url: '{site_url}/voos/sao-paulo-gru-recife-rec-al4012',
};

const BUDGET = 60_000;
const optionOf = ({
  code,
  name,
  price,
  ...rest
}: Shown<FlightView['prices'][number]>): Shown<FareQuoteView['options'][number]> => ({
  fareCode: code,
  fareName: name,
  baggage: rest.baggage,
  hasCheckedBag: rest.hasCheckedBag,
  arrivesSameDay: rest.arrivesSameDay,
  arrivalTime: rest.arrivalTime,
  arrivalDayOffset: rest.arrivalDayOffset,
  unitPrice: brl(price),
  passengers: 1,
  total: brl(price),
  line: { base: brl(rest.base), taxes: brl(rest.taxes) },
  conditions: rest.conditions,
  fitsBudget: price <= BUDGET,
  budgetDelta: brl(BUDGET - price),
  reasons: [
    ...(price > BUDGET ? (['over_budget'] as const) : []),
    ...(rest.arrivesSameDay ? [] : (['arrives_next_day'] as const)),
    ...(rest.hasCheckedBag ? [] : (['no_checked_bag'] as const)),
  ],
});
const OPTIONS = FLIGHT.prices.map(optionOf);
const QUOTE: Shown<FareQuoteView> = { budget: brl(BUDGET), options: OPTIONS, bestByConstraints: OPTIONS[2] ?? null };

const NOTE = { viagem: 'congresso-2027' };
const CHOICE = { flightNumber: 'AL4012', fareCode: 'CLASSICA', passengers: 1 };
const PARTS = { base: brl(57_990 - TAXES), taxes: brl(TAXES) };
const TRAVELLER = { givenName: 'Conceição', familyName: 'dos Santos', birthDate: '1990-05-17' };
const CHILD = { givenName: 'João', familyName: 'dos Santos', birthDate: '2019-11-02' };
const PEOPLE = { travellers: [TRAVELLER], contact: { email: 'conceicao@example.com' } };
const BOOKING: Shown<BookingView> = {
  id: BOOKING_ID,
  ...CHOICE,
  ...DEPARTURE,
  total: brl(57_990),
  currency: 'BRL',
  line: PARTS,
  conditions: CLASSIC,
  expiresAt: at('12:30:00'),
  ...PEOPLE,
  metadata: NOTE,
};

const ASKED = { limit: brl(70_000), durationMinutes: 60, constraints: { to: ['REC'], maxOrders: 1 } };
const REVOCATION = {
  method: 'DELETE' as const,
  path: `/mandates/${MANDATE_ID}`,
  url: `{base_url}/mandates/${MANDATE_ID}`,
  revokedAt: null,
};
const MANDATE: Shown<MandateView> = {
  id: MANDATE_ID,
  status: 'valid',
  scope: ['order:write', 'payment:execute'],
  limit: ASKED.limit,
  consumed: brl(0),
  refunded: brl(0),
  reserved: brl(0),
  remaining: ASKED.limit,
  constraints: ASKED.constraints,
  grantedBy: 'agent',
  duration: { minutes: 60, startsAt: at('12:00:00'), expiresAt: at('13:00:00'), remainingSeconds: 3_600 },
  revocation: REVOCATION,
  metadata: {},
};
const SPENT: Shown<MandateView> = { ...MANDATE, consumed: brl(57_990), remaining: brl(12_010) };
const REVOKED: Shown<MandateView> = {
  ...SPENT,
  status: 'revoked',
  revocation: { ...REVOCATION, revokedAt: at('12:05:00') },
};

const eventOf = (revision: number, type: string, amount: object, remaining: object) => ({
  revision,
  type,
  occurredAt: at(`12:0${revision}:00`),
  clientId: 'alcada-pilot',
  orderId: revision === 0 ? null : ORDER_ID,
  amount,
  remaining,
  reason: null,
  refusal: null,
  hash: HASHES[revision],
  previousHash: HASHES[revision - 1] ?? '0'.repeat(64),
  logIndex: 40 + revision,
});

const ORDER: Shown<OrderView> = {
  id: ORDER_ID,
  status: 'paid',
  flightNumber: 'AL4012',
  ...DEPARTURE,
  fareName: 'Clássica',
  grandTotal: brl(57_990),
  ticketCode: TICKET,
  locator: LOCATOR,
  tickets: [{ ticketCode: TICKET, traveller: TRAVELLER }],
  conditions: CLASSIC,
  ...PEOPLE,
  createdAt: at('12:01:00'),
  url: `{base_url}/orders/${ORDER_ID}`,
  metadata: {},
};

const { travellers: _, contact: __, metadata: ___, ...PAID } = ORDER;
const EVENT: Shown<EventView> = {
  id: 'evt_7d1f0c9a3b5e4f6a8c2d1e0f9a8b7c6d',
  type: 'order.paid',
  timestamp: at('12:01:00'),
  cursor: 'MDAwMDAwMDAwMDAwMDAwMDQyMTcuMDAwMDAw',
  data: { ...PAID, tickets: [{ ticketCode: TICKET }], mandateId: MANDATE_ID },
};

const WEBHOOK = {
  id: '6b1d2f3a-8c47-4e0a-9f5b-2d7c1e0a4b69',
  url: 'https://agente.example/avisos',
  types: ['order.paid', 'mandate.revoked'],
  description: 'Produção',
  signature: 'hmac-sha256',
  status: 'active',
  failingSince: null,
  publicKeys: [],
  createdAt: at('12:00:00'),
};
const DELIVERY = {
  eventId: EVENT.id,
  type: EVENT.type,
  attempts: 1,
  responseStatus: null,
  attemptedAt: at('12:01:02'),
  nextAt: null,
};

const RECEIPT: Shown<ReceiptView> = {
  receiptId: `R-${TICKET}`,
  ticketId: ORDER_ID,
  locator: LOCATOR,
  issuedAt: at('12:01:00'),
  ...DEPARTURE,
  line: {
    description: 'Voo AL4012, GRU–REC (Recife), tarifa Clássica',
    flightNumber: 'AL4012',
    from: 'GRU',
    to: 'REC',
    departureDate: DEPARTURE.departureDate,
    departureTime: '15:30',
    ...SAME_DAY,
    fareCode: 'CLASSICA',
    fareName: 'Clássica',
    baggage: 'checked',
    passengers: 1,
    unitPrice: brl(57_990),
    subtotal: brl(57_990),
    ...PARTS,
    ticketCode: TICKET,
    ticketCodes: [TICKET],
  },
  total: brl(57_990),
  payment: {
    id: '6e0d3c2b-1a4f-4b8e-9c7d-8f9a0b1c2d3e',
    processor: 'test',
    method: 'card',
    brand: 'visa',
    last4: '4242',
    amount: brl(57_990),
    status: 'captured',
    capturedAt: at('12:01:00'),
    mandateId: MANDATE_ID,
    mandateSelection: 'explicit',
  },
  note: 'Cobrança feita em processador de testes: nenhum valor real foi movimentado.',
};

const READY: Shown<ReadinessView> = {
  status: 'ready',
  time: at('12:00:00'),
  version: '1.0.0',
  startedAt: at('11:00:00'),
  readModels: [{ name: 'orders', lagSeconds: 0 }],
};

const ENDINGS = { errors: 1, refused: 1, limited: 0, failed: 0, abandoned: 0 };
const LATENCY = { ...ENDINGS, p50Ms: 3.1, p95Ms: 8.4, p99Ms: 12.9 };
const TRAFFIC: Shown<AgentTrafficView> = {
  generatedAt: at('12:00:30'),
  window: { from: at('11:00:00'), to: at('12:00:00'), bucketSeconds: 3_600 },
  totals: { requests: 3, ...ENDINGS, errorRate: 1 / 3, agents: 1 },
  byChannel: [{ channel: 'rest', calls: 3, ...ENDINGS }],
  byOperation: [{ operation: 'search_flights', calls: 3, ...LATENCY }],
  byStatus: [
    { status: 200, calls: 2 },
    { status: 422, calls: 1 },
  ],
  byErrorCode: [{ error: 'invalid_query', calls: 1 }],
  byAgentFamily: [{ family: 'other', calls: 3, ...ENDINGS, agents: 1 }],
  familiesBelowMinimum: 1,
  funnel: { search: 2, quote: 0, booking: 0, mandate: 0, order: 0, receipt: 0 },
  agentFunnel: { steps: [{ step: 'search', agents: 1, searched: 1 }], notFollowed: 0 },
  signatures: { verified: 0, unverified: 0, wrong: 0 },
  mandates: { created: 0, revoked: 0, chargesApproved: 0, chargesRefusedByReason: {} },
  payments: { captured: 0, declined: 0, challenged: 0 },
  security: { codesReplayed: 0, refreshTokensReused: 0, tokensRevoked: 0, loginsThrottled: 0, capsRefused: 0 },
  series: [{ start: at('11:00:00'), requests: 3, ...LATENCY }],
};

const CANCELLATION_ID = '8d2b6c1e-3f4a-4b5c-9d6e-7f8091a2b3c4';
const REFUND = {
  refund: brl(57_990),
  fee: brl(0),
  reason: 'withdrawal',
  refundTo: { brand: 'visa', last4: '4242' },
};
const listOf = (...items: readonly object[]) => ({ count: items.length, items, nextCursor: null });

/** One purchase by operation ids, addresses by name; then another booking is changed, and the mandate is revoked. */
export const OPERATION_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  getHealth: { answer: { status: 'ok', time: at('12:00:00') } },
  getReadiness: {
    answer: READY,
  },
  searchFlights: { answer: listOf(FLIGHT) },
  getFlight: { answer: FLIGHT },
  quoteFares: { answer: QUOTE },
  createBooking: { request: { ...CHOICE, ...PEOPLE, metadata: NOTE }, answer: BOOKING },
  listBookings: { answer: listOf(BOOKING) },
  getBooking: { answer: BOOKING },
  changeBooking: {
    request: { passengers: 2, ...PEOPLE, travellers: [TRAVELLER, CHILD] },
    answer: {
      ...BOOKING,
      passengers: 2,
      total: brl(115_980),
      line: { base: brl(2 * (57_990 - TAXES)), taxes: brl(2 * TAXES) },
      travellers: [TRAVELLER, CHILD],
      metadata: {},
    },
  },
  createMandate: { request: ASKED, answer: MANDATE },
  listMandates: { answer: { ...listOf(SPENT), cap: null } },
  getMandate: { answer: SPENT },
  getMandateEvents: {
    answer: listOf(
      eventOf(0, 'MandateCreated', brl(70_000), brl(70_000)),
      eventOf(1, 'MandateReserved', brl(57_990), brl(12_010)),
      eventOf(2, 'MandateConsumed', brl(57_990), brl(12_010)),
    ),
  },
  revokeMandate: { answer: REVOKED },
  placeOrder: {
    request: {
      bookingId: BOOKING_ID,
      mandateId: MANDATE_ID,
      payment: { cardNumber: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' },
      expectedTotal: brl(57_990),
      acceptUpTo: brl(60_000),
    },
    answer: ORDER,
  },
  listOrders: { answer: listOf(ORDER) },
  getOrder: { answer: ORDER },
  quoteCancellation: {
    answer: { id: CANCELLATION_ID, orderId: ORDER_ID, status: 'quoted', ...REFUND, expiresAt: at('12:25:00') },
  },
  cancelOrder: {
    answer: { id: CANCELLATION_ID, orderId: ORDER_ID, status: 'confirmed', ...REFUND, refundedAt: at('12:11:00') },
  },
  getCreditNote: {
    answer: {
      creditNoteId: `C-${TICKET}`,
      orderId: ORDER_ID,
      line: PARTS,
      fee: brl(0),
      refund: brl(57_990),
      issuedAt: at('12:11:00'),
    },
  },
  getReceipt: { answer: RECEIPT },
  getReceiptProof: {
    texts: {
      'text/plain':
        'c2sp.org/tlog-proof@v1\nextra eyJzdHJlYW0iOiJvcmRlci00YzhmMWE1MiJ9\nindex 43\n' +
        'o2UN9PCjxGnc211rhvhEDHcIuxkn0A8ZdeIg6Dn7lFc=\n\nalcada.example/log\n44\n' +
        '1S3eutPG+NYGUkYGITYa17r4G5kqRIP5Bu8pdnUUhhQ=\n\n— alcada.example/log …\n',
    },
  },
  getTicketCalendar: { texts: { 'text/calendar': 'BEGIN:VCALENDAR\r\n…\r\nEND:VCALENDAR\r\n' } },
  getTicket: { texts: { 'application/pdf': '%PDF-1.3 …' } },
  callTool: {
    request: { tool: 'get_flight', arguments: { flightNumber: 'AL4012' } },
    answer: {
      content: [{ type: 'text', text: JSON.stringify(FLIGHT) }],
      structuredContent: FLIGHT,
      isError: false,
    },
  },
  listEvents: {
    answer: { items: [EVENT], nextCursor: EVENT.cursor },
    texts: { 'text/event-stream': `id: ${EVENT.cursor}\ndata: ${JSON.stringify(EVENT)}\n\n` },
  },
  createWebhook: {
    request: {
      url: 'https://agente.example/avisos',
      types: ['order.paid', 'mandate.revoked'],
      description: 'Produção',
    },
    answer: { ...WEBHOOK, secret: 'whsec_4ZhTS4bq8mQ2nZ0d6xwYv1kC7rJpL5uN3aEoGiFtHsM=' },
  },
  listWebhooks: { answer: { items: [WEBHOOK] } },
  getWebhook: { answer: WEBHOOK },
  changeWebhook: {
    request: { types: ['order.paid'], enabled: true },
    answer: { ...WEBHOOK, types: ['order.paid'] },
  },
  rotateWebhookSecret: { answer: { secret: 'whsec_Zq9b3W0mYt6cF1sVhK8xRj4uLd7oPa2eGiNfTyCwXvE=' } },
  testWebhook: { answer: { delivered: true, responseStatus: 204 } },
  listWebhookDeliveries: {
    answer: {
      items: [
        { ...DELIVERY, status: 'pending', attempts: 2, responseStatus: 503, nextAt: at('12:01:05') },
        { ...DELIVERY, eventId: 'evt_1b2c3d4e5f60718293a4b5c6d7e8f901', status: 'delivered', responseStatus: 204 },
      ],
    },
  },
  resendWebhookDelivery: {
    answer: { ...DELIVERY, status: 'pending', attempts: 0, attemptedAt: null, nextAt: at('12:05:00') },
  },
  replayWebhook: { request: { after: EVENT.cursor }, answer: WEBHOOK },
  getAgentTraffic: {
    answer: TRAFFIC,
    texts: {
      'text/csv': 'section,name,measure,value\r\ntotals,,requests,3\r\ntotals,,errors,1\r\n',
      'text/plain':
        '# HELP alcada_agent_traffic_requests Calls answered in the window\n' +
        '# TYPE alcada_agent_traffic_requests gauge\nalcada_agent_traffic_requests 3\n',
    },
  },
  streamAgentTraffic: {
    texts: { 'text/event-stream': `event: traffic\ndata: ${JSON.stringify({ series: TRAFFIC.series })}\n\n` },
  },
};
