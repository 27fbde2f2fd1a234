import type { Json } from '../audited-event.js';
import { TestLog } from './test-log.js';

const HOLDER = '0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f';
const AGENT = 'alcada-pilot';
const MANDATE = '11111111-1111-4111-8111-111111111111';
/** The first order is paid, the second is declined. */
const ORDERS = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'] as const;
const BOOKINGS = ['44444444-4444-4444-8444-444444444444', '55555555-5555-4555-8555-555555555555'] as const;

/** The streams of the story by what a bundle is asked about. */
export const STORY = {
  mandateId: MANDATE,
  paidOrder: ORDERS[0],
  mandate: `mandate-${MANDATE}`,
  delegation: `delegation-${HOLDER}.${AGENT}`,
  orders: ORDERS.map((id) => `order-${id}`),
  bookings: BOOKINGS.map((id) => `booking-${id}`),
} as const;

/** Whether a stream goes into a bundle about the story's mandate: all but the flight's, which names other people's orders. */
export const isOfStory = (stream: string): boolean =>
  [STORY.mandate, STORY.delegation, ...STORY.orders, ...STORY.bookings].includes(stream);

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, seconds)).toISOString();

const choice = { flightNumber: 'AL4012', fareCode: 'CLASSICA', passengers: 1, total: brl(579_90) };
const line = {
  description: 'Voo AL4012, GRU–REC (Recife), tarifa Clássica',
  flightNumber: 'AL4012',
  from: 'GRU',
  to: 'REC',
  departureDate: null,
  departureTime: '15:30',
  arrivalTime: '18:45',
  arrivalDayOffset: 0,
  fareCode: 'CLASSICA',
  fareName: 'Clássica',
  baggage: 'checked',
  passengers: 1,
  unitPrice: brl(579_90),
  subtotal: brl(579_90),
};

/** A mandate's life as the service writes it. `change` writes other data, in a log that stays chained and signed. */
export const purchaseStory = (
  change: (type: string, data: Json, revision: number) => Json = (_, data) => data,
): TestLog => {
  const log = new TestLog();
  const revisions = new Map<string, number>();
  const write = (seconds: number, stream: string, type: string, data: Json, byAgent = true): void => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const clientId = byAgent ? AGENT : null;
    log.write({ stream, type, data: change(type, data, revision), at: at(seconds), holder: HOLDER, clientId });
  };
  const party = { holder: HOLDER, clientId: AGENT };
  const { mandate, delegation } = STORY;
  const scope = ['order:write', 'payment:execute'];

  const authorized = { ...party, grantId: '66666666-6666-4666-8666-666666666666', scopes: scope, authorizedAt: at(0) };
  write(0, delegation, 'AgentAuthorized', authorized, false);
  write(0, delegation, 'SpendingCapSet', { cap: brl(200_000), ending: [], setAt: at(0) }, false);
  const terms = { mandateId: MANDATE, limit: brl(100_000), expiresAt: at(3_600) };
  write(1, delegation, 'MandateOpened', { ...terms, openedAt: at(1) });
  write(1, mandate, 'MandateCreated', { ...terms, ...party, scope, minutes: 60, startsAt: at(0), grantedBy: 'agent' });

  for (const [place, orderId] of ORDERS.entries()) {
    const [start, bookingId] = [10 + 10 * place, BOOKINGS[place] ?? ''];
    const [booking, order] = [`booking-${bookingId}`, `order-${orderId}`];
    const total = brl(place === 0 ? 579_90 : 300_00);
    const unitPrice = total;
    const holdBefore = at(start + 60);
    const [hold, checkout] = [
      { orderId, holdBefore },
      {
        ...party,
        orderId,
        bookingId,
        mandateId: MANDATE,
        mandateSelection: 'implicit',
        line: { ...line, unitPrice, subtotal: total },
        total,
        holdBefore,
      },
    ];
    write(start, booking, 'BookingCreated', { bookingId, ...party, ...choice, total, createdAt: at(start) });
    write(start, booking, 'BookingCheckoutStarted', { ...checkout, openedAt: at(start) });
    write(start, 'flight-AL4012', 'SeatsHeld', { ...hold, seats: 1, heldAt: at(start) });
    write(start, order, 'OrderPlaced', { ...checkout, placedAt: at(start) });
    write(start, mandate, 'MandateReserved', { ...hold, bookingId, amount: total, reservedAt: at(start) });
    const end = start + 1;
    if (place === 0) {
      const ticketCode = '9570000000014';
      const card = { processor: 'test', method: 'card', brand: 'visa', last4: '4242' };
      const payment = { id: 'pay_1', ...card, amount: total, capturedAt: at(end) };
      write(end, mandate, 'MandateConsumed', { orderId, amount: total, consumedAt: at(end) });
      write(end, order, 'OrderPaid', { ticketCode, payment, paidAt: at(end) });
      write(end, booking, 'BookingTicketed', { orderId, ticketCode, ticketedAt: at(end) });
    } else {
      write(end, mandate, 'MandateReleased', { ...hold, amount: total, releasedAt: at(end) });
      write(end, 'flight-AL4012', 'SeatsReleased', { ...hold, seats: 1, releasedAt: at(end) });
      write(end, order, 'OrderFailed', { failure: 'payment_declined', failedAt: at(end) });
      write(end, booking, 'BookingCheckoutAbandoned', { orderId, abandonedAt: at(end) });
    }
  }

  const refused = (reason: string, amount: number, seconds: number) => {
    const data = { orderId: null, reason, amount: brl(amount), refusedAt: at(seconds) };
    write(seconds, mandate, 'MandateChargeRefused', data);
  };
  refused('mandate_limit_exceeded', 500_00, 40);
  write(50, mandate, 'MandatePaused', { pausedAt: at(50) }, false);
  refused('mandate_paused', 100_00, 51);
  write(52, mandate, 'MandateResumed', { resumedAt: at(52) }, false);
  const narrowed = { limit: brl(800_00), expiresAt: at(1_800), narrowedAt: at(60) };
  write(60, mandate, 'MandateNarrowed', narrowed, false);
  write(60, delegation, 'OpenMandateNarrowed', { mandateId: MANDATE, ...narrowed }, false);
  write(70, mandate, 'MandateRevoked', { revokedAt: at(70) }, false);
  write(70, delegation, 'MandateClosed', { mandateId: MANDATE, consumed: brl(579_90), closedAt: at(70) }, false);
  return log;
};
