import type { Json } from '../audited-event.js';
import { TestLog, type Written } from './test-log.js';

const HOLDER = '0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f';
const AGENT = 'alcada-pilot';
const id = (digit: number): string => '00000000-0000-4000-8000-000000000000'.replaceAll('0', String(digit));

/** The streams of the story. */
export const LIFE = {
  mandates: [id(1), id(2), id(3)],
  orders: [id(4), id(5)],
  bookings: [id(6), id(7)],
  delegation: `delegation-${HOLDER}.${AGENT}`,
  flight: 'flight-AL4012',
} as const;

const [FIRST, ASKED, GIVEN_UP] = LIFE.mandates;
const brl = (amount: number) => ({ amount, currency: 'BRL' });

/** A second of the story as an instant. */
export const second = (seconds: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, seconds)).toISOString();

/** An event of the story before it is chained: everything may still be changed. */
export type Draft = Written & { readonly data: Json };

const draft = (seconds: number, stream: string, type: string, data: Json, clientId: string | null = AGENT): Draft => ({
  stream,
  type,
  data,
  at: second(seconds),
  holder: HOLDER,
  clientId,
});

const party = { holder: HOLDER, clientId: AGENT };
const SCOPE = ['order:write', 'payment:execute'];
const fare = { code: 'CLASSICA', name: 'Clássica', price: 579_90, arrivalTime: '18:45', arrivalDayOffset: 0 };
const place = { from: 'GRU', to: 'REC', departureTime: '15:30', departureDate: '2026-03-01' };
const price = brl(579_90);
const choice = { flightNumber: 'AL4012', fareCode: 'CLASSICA', passengers: 1, total: price };
const line = {
  ...place,
  description: 'Voo AL4012, GRU–REC (Recife), tarifa Clássica',
  flightNumber: 'AL4012',
  arrivalTime: fare.arrivalTime,
  arrivalDayOffset: 0,
  fareCode: 'CLASSICA',
  fareName: 'Clássica',
  baggage: 'checked',
  passengers: 1,
  unitPrice: price,
  subtotal: price,
};
const checkoutOf = (order: number, start: number) => ({
  ...party,
  orderId: LIFE.orders[order],
  bookingId: LIFE.bookings[order],
  mandateId: FIRST,
  mandateSelection: 'explicit',
  line,
  total: price,
  holdBefore: second(start + 60),
});

/** What an order begins with, in the five streams that it crosses. */
const begun = (order: number, start: number): readonly Draft[] => {
  const checkout = checkoutOf(order, start);
  const { orderId, bookingId, holdBefore } = checkout;
  const hold = { orderId, holdBefore };
  const empty = { flightNumber: null, fareCode: null, passengers: 1, total: brl(0) };
  const booking = `booking-${bookingId}`;
  return [
    draft(start, booking, 'BookingCreated', { bookingId, ...party, ...empty, createdAt: second(start) }),
    draft(start, booking, 'BookingChanged', { ...choice, changedAt: second(start) }),
    draft(start + 1, booking, 'BookingCheckoutStarted', {
      ...checkout,
      runner: 'a process',
      openedAt: second(start + 1),
    }),
    draft(start + 1, LIFE.flight, 'SeatsHeld', { ...hold, seats: 1, heldAt: second(start + 1) }),
    draft(start + 1, `order-${orderId}`, 'OrderPlaced', { ...checkout, placedAt: second(start + 1) }),
    draft(start + 1, `mandate-${FIRST}`, 'MandateReserved', {
      ...hold,
      bookingId,
      amount: price,
      reservedAt: second(start + 1),
    }),
  ];
};

const paid = (order: number, at: number): readonly Draft[] => {
  const [orderId, ticketCode] = [LIFE.orders[order] ?? '', '9570000000014'];
  const card = { id: 'pay_1', processor: 'test', method: 'card', brand: 'visa', last4: '4242' };
  const payment = { ...card, amount: price, capturedAt: second(at) };
  return [
    draft(at, `mandate-${FIRST}`, 'MandateConsumed', { orderId, amount: price, consumedAt: second(at) }),
    draft(at, `order-${orderId}`, 'OrderPaid', { ticketCode, payment, paidAt: second(at) }),
    draft(at, `booking-${LIFE.bookings[order]}`, 'BookingTicketed', { orderId, ticketCode, ticketedAt: second(at) }),
  ];
};

const failed = (order: number, at: number, start: number): readonly Draft[] => {
  const [orderId, bookingId] = [LIFE.orders[order] ?? '', LIFE.bookings[order]];
  const hold = { orderId, holdBefore: second(start + 60) };
  const challenged = { bookingId, brand: 'visa', last4: '3220', expiresAt: second(at + 600), challengedAt: second(at) };
  return [
    draft(at, `order-${orderId}`, 'PaymentChallenged', challenged),
    draft(at + 1, `mandate-${FIRST}`, 'MandateReleased', { ...hold, amount: price, releasedAt: second(at + 1) }, null),
    draft(at + 1, LIFE.flight, 'SeatsReleased', { ...hold, seats: 1, releasedAt: second(at + 1) }, null),
    draft(at + 1, `order-${orderId}`, 'OrderFailed', { failure: 'payment_declined', failedAt: second(at + 1) }, null),
    draft(at + 1, `booking-${bookingId}`, 'BookingCheckoutAbandoned', { orderId, abandonedAt: second(at + 1) }, null),
  ];
};

const refusedAt = (
  seconds: number,
  mandate: string | undefined,
  reason: string,
  amount: number,
  more: Json = {},
): Draft => {
  const data = { orderId: null, reason, amount: brl(amount), refusedAt: second(seconds), ...more };
  return draft(seconds, `mandate-${mandate}`, 'MandateChargeRefused', data);
};

/** Three mandates under one cap: one that pays, loses, pauses and expires, one asked for, and one never created. */
export const lifeScript = (): readonly Draft[] => {
  const { delegation, flight } = LIFE;
  const own = (seconds: number, stream: string, type: string, data: Json) => draft(seconds, stream, type, data, null);
  const first = { mandateId: FIRST, limit: brl(2_000_00), expiresAt: second(3_600) };
  const granted = { ...party, scope: SCOPE, minutes: 60 };
  const bounds = { from: ['GRU'], maxPricePerSeat: brl(600_00), maxOrders: 2 };
  const asked = {
    mandateId: ASKED,
    ...party,
    scope: SCOPE,
    limit: brl(500_00),
    minutes: 60,
    constraints: { to: ['REC'] },
  };
  const approved = { limit: brl(400_00), minutes: 30, startsAt: second(103), expiresAt: second(1_903) };
  const { limit, expiresAt } = approved;
  const narrowed = { limit: brl(800_00), expiresAt: second(1_800) };
  const last = { mandateId: GIVEN_UP, limit: brl(100_00), expiresAt: second(3_600) };
  const scheduled = {
    ...place,
    flightNumber: 'AL4012',
    slug: 'gru-rec',
    fromCity: null,
    toCity: 'Recife',
    currency: 'BRL',
  };
  const zone = { timeZone: 'America/Sao_Paulo', durationMin: 195, seats: 2, fares: [{ ...fare, baggage: 'checked' }] };
  const grant = { ...party, grantId: id(8), scopes: SCOPE, authorizedAt: second(0) };
  const cap = {
    ...party,
    mandateId: id(9),
    limit: brl(9_000_00),
    cap: brl(3_000_00),
    used: brl(0),
    refusedAt: second(5),
  };
  const [firstStream, askedStream] = [`mandate-${FIRST}`, `mandate-${ASKED}`];
  return [
    own(0, flight, 'FlightScheduled', { ...scheduled, ...zone }),
    own(0, flight, 'FaresRepriced', { fares: [{ ...fare, baggage: 'checked' }] }),
    own(0, delegation, 'AgentAuthorized', grant),
    own(0, delegation, 'SpendingCapSet', { cap: brl(3_000_00), ending: [], setAt: second(0) }),
    own(0, 'ticket-stock', 'TicketBlockLeased', { leaseId: 'a lease', first: 1, last: 100, leasedAt: second(0) }),
    draft(1, delegation, 'MandateOpened', { ...first, openedAt: second(1) }),
    draft(1, firstStream, 'MandateCreated', {
      ...first,
      ...granted,
      startsAt: second(0),
      grantedBy: 'agent',
      constraints: bounds,
    }),
    own(5, 'security-2026-01-31', 'CapRefused', cap),
    ...begun(0, 10),
    ...paid(0, 12),
    refusedAt(20, FIRST, 'mandate_limit_exceeded', 1_500_00),
    refusedAt(21, FIRST, 'mandate_constraint_violated', 100_00, { constraint: 'from' }),
    refusedAt(22, FIRST, 'currency_mismatch', 1, { amount: { amount: 1, currency: 'EUR' } }),
    own(30, firstStream, 'MandatePaused', { pausedAt: second(30) }),
    refusedAt(31, FIRST, 'mandate_paused', 100_00),
    own(32, firstStream, 'MandateResumed', { resumedAt: second(32) }),
    ...lostOrder(),
    own(60, firstStream, 'MandateNarrowed', { ...narrowed, narrowedAt: second(60) }),
    own(60, delegation, 'OpenMandateNarrowed', { mandateId: FIRST, ...narrowed, narrowedAt: second(60) }),
    own(90, delegation, 'ApprovalModeSet', { asksFirst: true, setAt: second(90) }),
    draft(100, askedStream, 'MandateRequested', { ...asked, requestedAt: second(100), lapsesAt: second(1_000) }),
    refusedAt(101, ASKED, 'mandate_pending', 1),
    own(103, askedStream, 'MandateApproved', approved),
    own(103, delegation, 'MandateOpened', { mandateId: ASKED, limit, expiresAt, openedAt: second(103) }),
    own(103, askedStream, 'MandateCreated', { ...asked, ...approved, grantedBy: 'traveller' }),
    own(110, delegation, 'MandateOpened', { ...last, openedAt: second(110) }),
    own(111, `mandate-${GIVEN_UP}`, 'MandateAbandoned', { mandateId: GIVEN_UP, abandonedAt: second(111) }),
    own(111, delegation, 'MandateClosed', { mandateId: GIVEN_UP, consumed: brl(0), closedAt: second(111) }),
    own(120, delegation, 'SpendingCapSet', { cap: brl(1_000_00), ending: [ASKED], setAt: second(120) }),
    own(121, askedStream, 'MandateRevoked', { revokedAt: second(121) }),
    own(121, delegation, 'MandateClosed', { mandateId: ASKED, consumed: brl(0), closedAt: second(121) }),
    refusedAt(122, ASKED, 'mandate_revoked', 1),
    own(130, 'audit-2026-01-31', 'AuditPageViewed', {
      auditor: 'a',
      page: 'home',
      subject: null,
      viewedAt: second(130),
    }),
    own(1_800, firstStream, 'MandateExpired', { expiredAt: second(1_800) }),
    refusedAt(1_801, FIRST, 'mandate_expired', 1),
    own(1_801, delegation, 'MandateClosed', { mandateId: FIRST, consumed: price, closedAt: second(1_801) }),
    own(1_900, delegation, 'AgentRevoked', { openMandates: [], revokedAt: second(1_900) }),
  ];
};

/** The second order: its payment is asked for and declined. */
const lostOrder = (): readonly Draft[] => [...begun(1, 40), ...failed(1, 42, 40)];

/** The log of a script; `isMarked`: which of its entries are of the second form. */
export const logOf = (script: readonly Draft[], isMarked?: (index: number) => boolean): TestLog =>
  script.reduce((log, event) => log.write(event), new TestLog(undefined, undefined, isMarked));
