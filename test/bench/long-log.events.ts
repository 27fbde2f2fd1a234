import { randomUUID } from 'node:crypto';
import { bookings } from '#booking';
import { flights } from '#catalog';
import { delegations, mandates } from '#mandate';
import { type AnyEvent, type Checkout, securityLog, trafficLog } from '#events';
import { CHAIN_START, chainedHash, type EventStore, type EventToAppend, NO_STREAM } from '#event-store';
import { canonicalJson, type Instant, money, type Party, plus } from '#kernel';
import { orders } from '#order';
import { tripOf } from './flights.js';

/** Purchases that go on at a time, so that their events lie between one another in the log, and appends in flight. */
const [LANES, IN_FLIGHT] = [64, 2_048];
/** Travellers with one agent each, how many orders a mandate pays for, and after how many appends others are at work. */
const [TRAVELLERS, ORDERS_A_MANDATE, A_SHIFT] = [512, 4, 4_000];
/** One booking of so many is never ordered, one order of so many fails. */
const [UNORDERED, FAILING] = [4, 10];
/** Every so many appends one of traffic, and one of the security log. */
const [TRAFFIC, SECURITY] = [40, 2_000];
/** How much time (ms) passes from one append to the next: a million events take a month. */
const STEP = 4_000;
const PRICE = money(279_90, 'BRL');
const LIMIT = money(2_000_00, 'BRL');

/** An append: the stream, who acts, and the events. */
type Piece = readonly [stream: string, party: Party, ...events: readonly AnyEvent[]];
type Now = () => Instant;

/** What one agent does: mandates, and orders on each of them, until it is time to end what it has begun. */
function* lifeOf(party: Party, now: Now, place: number, isOver: () => boolean): Generator<Piece> {
  const delegation = delegations.streamOf(party);
  yield [
    delegation,
    party,
    event('AgentAuthorized', { ...party, grantId: randomUUID(), scopes: [], authorizedAt: now() }),
  ];
  for (let order = place; !isOver();) {
    const mandateId = randomUUID();
    const stream = mandates.streamOf(mandateId);
    const [startsAt, expiresAt] = [now(), plus(now(), 86_400_000)];
    yield [delegation, party, event('MandateOpened', { mandateId, limit: LIMIT, expiresAt, openedAt: startsAt })];
    const terms = {
      mandateId,
      ...party,
      scope: ['payment:execute'],
      limit: LIMIT,
      minutes: 1_440,
      startsAt,
      expiresAt,
    };
    yield [stream, party, event('MandateCreated', { ...terms, grantedBy: 'agent' })];
    let consumed = 0;
    for (let one = 0; one < ORDERS_A_MANDATE && !isOver(); one += 1) {
      order += 1;
      consumed += (yield* purchase(party, mandateId, now, order)) ? PRICE.amount : 0;
    }
    yield [stream, party, event('MandateRevoked', { revokedAt: now() })];
    const closing = { mandateId, consumed: money(consumed, 'BRL'), closedAt: now() };
    yield [delegation, party, event('MandateClosed', closing)];
  }
}

/** A booking, and mostly its order; returns whether it was paid. */
function* purchase(party: Party, mandateId: string, now: Now, place: number): Generator<Piece, boolean> {
  const [bookingId, orderId] = [randomUUID(), randomUUID()];
  const { flightNumber, fareCode } = tripOf(place);
  const [booking, flight] = [bookings.streamOf(bookingId), flights.streamOf(flightNumber)];
  const choice = { flightNumber, fareCode, passengers: 1, total: PRICE };
  yield [booking, party, event('BookingCreated', { bookingId, ...party, ...choice, createdAt: now() })];
  if (place % UNORDERED === 0) {
    yield [booking, party, event('BookingChanged', { ...choice, passengers: 2, changedAt: now() })];
    return false;
  }
  const holdBefore = plus(now(), 60_000);
  const checkout: Checkout = {
    ...party,
    ...{ orderId, bookingId, mandateId, mandateSelection: 'explicit', total: PRICE, holdBefore },
    line: { ...LINE, flightNumber, fareCode },
  };
  yield [booking, party, event('BookingCheckoutStarted', { ...checkout, openedAt: now() })];
  yield [flight, party, event('SeatsHeld', { orderId, seats: 1, holdBefore, heldAt: now() })];
  yield [orders.streamOf(orderId), party, event('OrderPlaced', { ...checkout, placedAt: now() })];
  const mandate = mandates.streamOf(mandateId);
  const amount = { orderId, amount: PRICE };
  yield [mandate, party, event('MandateReserved', { ...amount, bookingId, holdBefore, reservedAt: now() })];
  if (place % FAILING === 1) {
    yield [mandate, party, event('MandateReleased', { ...amount, holdBefore, releasedAt: now() })];
    yield [flight, party, event('SeatsReleased', { orderId, seats: 1, holdBefore, releasedAt: now() })];
    yield [orders.streamOf(orderId), party, event('OrderFailed', { failure: 'payment_declined', failedAt: now() })];
    yield [booking, party, event('BookingCheckoutAbandoned', { orderId, abandonedAt: now() })];
    return false;
  }
  yield [mandate, party, event('MandateConsumed', { ...amount, consumedAt: now() })];
  const ticketCode = `957${String(place).padStart(10, '0')}`;
  const payment = { id: randomUUID(), ...CARD, amount: PRICE, capturedAt: now() };
  yield [orders.streamOf(orderId), party, event('OrderPaid', { ticketCode, payment, paidAt: now() })];
  yield [booking, party, event('BookingTicketed', { orderId, ticketCode, ticketedAt: now() })];
  return true;
}

const CARD = { processor: 'test', method: 'card', brand: 'visa', last4: '4242' };
const LINE: Omit<Checkout['line'], 'flightNumber' | 'fareCode'> = {
  description: 'Voo de São Paulo (CGH) para Belo Horizonte (CNF)',
  from: 'CGH',
  to: 'CNF',
  departureDate: null,
  departureTime: '07:15',
  arrivalTime: '08:30',
  arrivalDayOffset: 0,
  fareName: 'Leve',
  baggage: 'none',
  passengers: 1,
  unitPrice: PRICE,
  subtotal: PRICE,
};

const event = (type: string, data: object): AnyEvent => ({ type, data });

/** What the process itself writes down beside. */
const trafficAt = (at: Instant, start: string): Piece => [
  trafficLog.streamOf({ at, start }),
  SYSTEM,
  event('AgentTrafficObserved', { minutes: [{ start: `${at.slice(0, 16)}:00.000Z`, calls: CALLS, agents: AGENTS }] }),
];
const throttledAt = (at: Instant): Piece => [
  securityLog.streamOf(at),
  SYSTEM,
  event('LoginThrottled', { holder: null, count: 5, throttledAt: at }),
];
const SYSTEM: Party = { holder: 'system', clientId: 'system' };
const CALLS = ['searchFlights', 'createBooking', 'placeOrder', 'getOrder', 'listOrders'].map((operation) => ({
  family: 'alcada-pilot',
  operation,
  outcomes: [
    { channel: 'rest', status: 200, error: null, count: 40 },
    { channel: 'rest', status: 422, error: 'seats_unavailable', count: 2 },
  ],
  latencies: [3, 20, 5, 22],
}));
const AGENTS = [{ family: 'alcada-pilot', hashes: ['ab', 'cd', 'ef'].map((hash) => hash.repeat(11)) }];

/** A month of a busy service in the log's order, ended: no order is left to a recovery, to which no charge is known. */
function* month(now: Now, tick: () => void, isOver: () => boolean): Generator<Piece> {
  const parties = Array.from({ length: TRAVELLERS }, () => ({ holder: randomUUID(), clientId: 'alcada-pilot' }));
  const lives = parties.map((party, place) => lifeOf(party, now, place * 1_001, isOver));
  const start = randomUUID();
  for (let step = 0; !isOver(); step += 1) {
    tick();
    if (step % TRAFFIC === 0) yield trafficAt(now(), start);
    if (step % SECURITY === 0) yield throttledAt(now());
    // Some agents are at work side by side, and others after them.
    const shift = LANES * (Math.floor(step / A_SHIFT) % Math.floor(TRAVELLERS / LANES));
    const next = lives[shift + (step % LANES)]?.next();
    if (next && !next.done) yield next.value;
  }
  for (const life of lives) yield* life;
}

/** Appends at least `count` events: up to the middle of purchases, or to the end of all of them. */
export const fillLog = async (
  events: EventStore,
  count: number,
  until: Instant,
  endsIn: 'the middle' | 'the end' = 'the middle',
): Promise<void> => {
  const last = new Map<string, ChainEnd>();
  for await (const { stream, revision, metadata } of events.readAll(null))
    last.set(stream, { revision, hash: metadata.hash });
  let at = plus(until, -count * STEP);
  const tick = () => (at = plus(at, STEP));
  let left = count;
  const under = new Set<Promise<unknown>>();
  const isOver = () => left <= 0;
  for (const [stream, actor, ...facts] of month(() => at, tick, isOver)) {
    if (isOver() && endsIn === 'the middle') break;
    left -= facts.length;
    const { revision, hash } = last.get(stream) ?? { revision: NO_STREAM, hash: CHAIN_START };
    const end = { stream, revision, hash };
    const appended = events.append(
      stream,
      revision,
      facts.map((fact) => chainedTo(end, fact, actor, at)),
    );
    last.set(stream, end);
    under.add(appended);
    void appended.finally(() => under.delete(appended));
    if (under.size >= IN_FLIGHT) await Promise.race(under);
  }
  await Promise.all(under);
};

interface ChainEnd {
  revision: number;
  hash: string;
}

/** An event at the end of a chain, which it becomes the end of. */
const chainedTo = (end: ChainEnd & { stream: string }, { type, data }: AnyEvent, actor: Party, occurredAt: Instant) => {
  const eventId = randomUUID();
  const unchained = {
    ...{ eventId, occurredAt, actor, schemaVersion: 1 },
    ...{ $correlationId: randomUUID(), $causationId: '0123456789abcdef' },
  };
  const bytes = { data: canonicalJson(data), metadata: canonicalJson(unchained) };
  end.revision += 1;
  end.hash = chainedHash(end.hash, { stream: end.stream, revision: end.revision, type, ...bytes });
  const metadata = canonicalJson({ ...unchained, hash: end.hash });
  return { id: eventId, type, data: bytes.data, metadata } satisfies EventToAppend;
};
