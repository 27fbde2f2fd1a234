import type { BookingView } from '#booking';
import type { FareQuoteView, FlightView } from '#catalog';
import { type Money, plus, SystemClock } from '#kernel';
import type { MandateView } from '#mandate';
import type { CancellationView, OrderView, ReceiptView } from '#order';
import { type Answer, Api, type GrantedDetail } from '#agent';
import { readable } from '../audit/format.js';
import type { Steps } from './authorize.js';

export interface Flights {
  readonly count: number;
  readonly items: readonly FlightView[];
}
export interface Refused {
  readonly error: string;
  readonly message: string;
  readonly details?: { readonly required?: Money; readonly remaining?: Money };
}

export const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' };
const TRAVELLER = { givenName: 'Conceição', familyName: 'dos Santos' };
const fullName = ({ givenName, familyName }: typeof TRAVELLER): string => `${givenName} ${familyName}`;
const BUDGET = 90_000;

const expected = <Body>({ status, body }: Answer<Body>, wanted: number): Body => {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** From search to receipt; returns mandate and booking. `allow`: how the traveller allows a mandate, where they are asked. */
export const purchase = async (
  api: Api,
  steps: Steps,
  allow: (url: string) => Promise<void>,
): Promise<{ mandate: MandateView; booking: BookingView }> => {
  const { flightNumber, fareCode, date } = await choose(api, steps);

  steps.begin(
    'Book a seat',
    `POST /bookings  { flightNumber: "${flightNumber}", date: "${date}", fareCode: "${fareCode}", travellers: [${fullName(TRAVELLER)}] }`,
  );
  const wanted = { flightNumber, date, fareCode, passengers: 1, travellers: [TRAVELLER] };
  const booking = expected(await api.post<BookingView>('/bookings', wanted), 201);
  steps.note(`booking ${booking.id}, ${readable(booking.total)}`);

  const limit = { amount: booking.total.amount + 10_000, currency: booking.total.currency };
  steps.begin(
    'Create a mandate: how much the agent may spend',
    `POST /mandates  { limit: ${JSON.stringify(limit)}, durationMinutes: 30 }`,
  );
  const granted = expected(await api.post<MandateView>('/mandates', { limit, durationMinutes: 30 }), 201);
  steps.note(
    `mandate ${granted.id}, ${granted.status}, up to ${readable(granted.limit)} until ${granted.duration.expiresAt}`,
  );
  if (granted.approval) {
    await allow(granted.approval.url);
    steps.note(`the traveller was asked at ${granted.approval.url}, and allowed it`);
  }

  steps.begin(
    'Place the order: authorize, charge, issue the ticket',
    'POST /orders  { bookingId, mandateId, payment }',
  );
  const request = { bookingId: booking.id, mandateId: granted.id, payment: CARD };
  const order = expected(await api.post<OrderView>('/orders', request), 201);
  steps.note(`order ${order.id} is ${order.status}: ticket ${order.ticketCode}, ${readable(order.grandTotal)}`);
  for (const { ticketCode, traveller } of order.tickets)
    steps.note(`locator ${order.locator}: ${ticketCode} is for ${fullName(traveller ?? TRAVELLER)}`);

  steps.begin('Read the receipt', `GET /orders/${order.id}/receipt`);
  const receipt = expected(await api.get<ReceiptView>(`/orders/${order.id}/receipt`), 200);
  steps.note(`receipt ${receipt.receiptId}, issued ${receipt.issuedAt}: ${receipt.line.description}`);
  steps.note(
    `${readable(receipt.total)}, ${receipt.payment.status} on ${receipt.payment.brand} •••• ${receipt.payment.last4}`,
  );
  steps.note(receipt.note);

  const mandate = expected(await api.get<MandateView>(`/mandates/${granted.id}`), 200);
  steps.note(`${readable(mandate.remaining)} of the mandate's ${readable(mandate.limit)} is left`);
  return { mandate, booking };
};

/** How far ahead (ms) the flight leaves, so that a cancellation at once gives everything back. */
const AHEAD = 20 * 86_400_000;

const choose = async (api: Api, steps: Steps): Promise<{ flightNumber: string; fareCode: string; date: string }> => {
  const date = plus(new SystemClock().now(), AHEAD).slice(0, 10);
  steps.begin('Search flights on a day', `GET /flights?q=recife&date=${date}`);
  const flights = expected(await api.get<Flights>(`/flights?q=recife&date=${date}`), 200);
  const [flight] = flights.items;
  if (!flight) throw new Error(`no flight to Recife on ${date} in the catalogue`);
  const { flightNumber, from, to, departureTime, seats } = flight;
  steps.note(
    `${flights.count} flights; the first: ${flightNumber} ${from}–${to} at ${departureTime}, ${seats} seats left`,
  );

  const fares = `/flights/${flightNumber}/fares?date=${date}&budget=${BUDGET}`;
  steps.begin('Quote fares within a budget', `GET ${fares}`);
  const quote = expected(await api.get<FareQuoteView>(fares), 200);
  for (const option of quote.options) steps.note(lineOf(option));
  const best = quote.bestByConstraints ?? quote.options[0];
  if (!best) throw new Error(`no fare on ${flightNumber}`);
  steps.note(`chosen: ${best.fareCode}`);
  return { flightNumber, fareCode: best.fareCode, date };
};

const lineOf = ({
  fareCode,
  fareName,
  total,
  baggage,
  fitsBudget,
  reasons,
}: FareQuoteView['options'][number]): string =>
  `${fareCode.padEnd(10)} ${fareName.padEnd(12)} ${readable(total).padStart(12)}  baggage ${baggage}, ` +
  (fitsBudget && reasons.length === 0 ? 'meets every constraint' : reasons.join(', '));

/** The same purchase again exceeds what is left of the mandate: it is refused, and nothing is charged. Answers its booking. */
export const refusedPurchase = async (
  api: Api,
  steps: Steps,
  mandate: MandateView,
  first: BookingView,
): Promise<BookingView> => {
  const { flightNumber, fareCode, departureDate: date } = first;
  steps.begin('Order again, above the limit', 'POST /bookings, POST /orders  with the same mandate');
  const booking = expected(await api.post<BookingView>('/bookings', { flightNumber, date, fareCode }), 201);
  const request = { bookingId: booking.id, mandateId: mandate.id, payment: CARD };
  const { status, body } = await api.post<Refused>('/orders', request);
  if (status !== 422 || body.error !== 'mandate_limit_exceeded') {
    throw new Error(`expected 422 mandate_limit_exceeded, got ${status}: ${JSON.stringify(body)}`);
  }
  steps.note(`${status} ${body.error}: ${body.message}`);
  const { required, remaining } = body.details ?? {};
  if (required && remaining) steps.note(`required ${readable(required)}, remaining ${readable(remaining)}`);
  const after = expected(await api.get<MandateView>(`/mandates/${mandate.id}`), 200);
  if (after.consumed.amount !== mandate.consumed.amount) throw new Error('a refused order was charged');
  steps.note(`nothing was charged: the consumed amount is still ${readable(after.consumed)}`);
  return booking;
};

/** An order that was paid by a mandate which the traveller granted. */
interface Granted {
  readonly api: Api;
  readonly order: OrderView;
  readonly mandateId: string;
}

/** Asks the traveller for a mandate over this booking in an authorization of its own (RFC 9396), and buys with it. */
export const grantedPurchase = async (
  booking: BookingView,
  steps: Steps,
  ask: (details: readonly object[]) => Promise<{ readonly api: Api; readonly granted: GrantedDetail | undefined }>,
): Promise<Granted> => {
  const constraints = { maxOrders: 1 };
  const { api, granted } = await ask([
    { type: 'payment_mandate', limit: booking.total, durationMinutes: 30, constraints, purpose: 'Mais um assento' },
  ]);
  if (!granted) throw new Error('the token answer has no granted mandate');
  steps.begin('Place the order with the mandate that was granted', 'POST /orders  { bookingId, mandateId, payment }');
  const request = { bookingId: booking.id, mandateId: granted.mandateId, payment: CARD };
  const order = expected(await api.post<OrderView>('/orders', request), 201);
  steps.note(`order ${order.id} is ${order.status}: ticket ${order.ticketCode}, ${readable(order.grandTotal)}`);
  return { api, order, mandateId: granted.mandateId };
};

/** The way back: what an order would give back, and then its money and its limit. */
export const cancelled = async ({ api, order, mandateId }: Granted, steps: Steps): Promise<void> => {
  const path = `/orders/${order.id}/cancellations`;
  steps.begin('Quote a cancellation, which changes nothing', `POST ${path}`);
  const quote = expected(await api.post<CancellationView>(path), 201);
  const { refund, fee, reason } = quote;
  steps.note(
    `${readable(refund)} would come back and ${readable(fee)} would not (${reason}), until ${quote.expiresAt}`,
  );

  steps.begin('Cancel as quoted', `POST ${path}/${quote.id}/confirm`);
  const done = expected(await api.post<CancellationView>(`${path}/${quote.id}/confirm`), 200);
  steps.note(`${readable(done.refund)} went back to ${done.refundTo.brand} •••• ${done.refundTo.last4}`);
  const mandate = expected(await api.get<MandateView>(`/mandates/${mandateId}`), 200);
  steps.note(`${readable(mandate.remaining)} of the mandate's ${readable(mandate.limit)} is left again`);
};
