import { bookings } from '#booking/pure';
import { departureIn, departureNamed, flights, saleDays, timetables } from '#catalog/pure';
import type { Position } from '#event-store';
import { type Checkout, flightIdOf, type Payment, type TicketCodes } from '#events';
import { type Context, DomainError, earliest, type ErrorCode, type Instant, plus } from '#kernel';
import { grantedOf, mandates, refusedCharge } from '#mandate/pure';
import {
  type ChallengedOrder,
  type ChargedOrder,
  type FailedOrder,
  isChallenged,
  isCharged,
  type Order,
  orders,
} from '#order/pure';
import type { Card } from './payment/card.js';
import type { ChargeOutcome, ChargeRequest, FinalOutcome, PaymentProcessor } from './payment/payment-processor.port.js';
import type { Buyer, Checkouts } from './checkouts.js';

export interface FinishedCheckout {
  readonly order: ChargedOrder | FailedOrder;
  /** Where in the log the seats of a failed order were given back; null: it is paid. */
  readonly releasedAt: Position | null;
}

/** How far an order came by its charge: the order that waits for its holder, or the outcome. */
export interface TriedCheckout {
  readonly challenged: ChallengedOrder | null;
  readonly outcome: FinalOutcome | undefined;
  /** Where in the log its seats were held. */
  readonly heldAt: Position | null;
}

/** What an order needs beside its checkout. `note`: writes down what the charge waits for. */
interface Trying<Noted> {
  readonly card: Card;
  readonly buyer: Buyer | undefined;
  readonly note: () => Promise<Noted>;
}

/** The Try of a TCC saga over four streams, up to the charge (rules 2, 3). @throws DomainError of seats, mandate or card */
export const runCheckout = async <Noted>(
  checkouts: Checkouts,
  checkout: Checkout,
  { card, buyer, note }: Trying<Noted>,
  context: Context,
): Promise<TriedCheckout & { readonly noted: Noted }> => {
  const { aggregates, buyers, processor, tickets, clock, settings } = checkouts;
  const { orderId, line, total, holdBefore } = checkout;
  const begun = clock.now(); // before the reservation, so that a mandate narrowed after it outlasts the charge (rule 29)
  const departure = await ofDeparture(aggregates, flightIdOf(line));
  const { passengers: seats, departureTime } = line;
  const hold = { type: 'HoldSeats', orderId, seats, sold: line, departureTime, holdBefore, ...departure } as const;
  // Side by side, so that one flush of the disk carries them all; the charge waits for each (rule 2).
  const [held, expiresAt, , , noted] = await together(
    aggregates.handle(flights, flightIdOf(line), hold, context),
    reserve(checkouts, checkout, context),
    aggregates.begin(orders, orderId, { type: 'PlaceOrder', checkout }, context),
    buyer && buyers.insert(orderId, buyer),
    note(),
    tickets.stockUp(),
  );
  const notAfter = earliest(expiresAt, plus(begun, settings.charge));
  const outcome = await charge(processor, { orderId, amount: total, card, notAfter });
  if (outcome.status === 'refused') throw new DomainError(outcome.reason);
  const heldAt = held.position;
  if (outcome.status !== 'challenged') return { challenged: null, outcome, heldAt, noted };
  const { state } = await challenge(checkouts, checkout, outcome, context);
  return { challenged: isChallenged(state) ? state : null, outcome: undefined, heldAt, noted };
};

/** What a command to a flight says of a departure without a stream: its terms, by timetable and date. */
const ofDeparture = async (aggregates: Checkouts['aggregates'], flightId: string) => {
  const { state } = await aggregates.known(flights, flightId, ({ status }) => status === 'scheduled');
  const named = state.status === 'scheduled' ? null : departureNamed(flightId);
  if (!named) return {};
  const [timetable, opened] = await Promise.all([
    aggregates.load(timetables, named.flightNumber),
    aggregates.load(saleDays, 'on-sale'),
  ]);
  return { departure: departureIn(timetable.state, opened.state, flightId) };
};

/** Waits for all work, so that the next step finds none under way; then throws the first failure in this order. */
const together = async <const Work extends readonly unknown[]>(
  ...work: Work
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> => {
  await Promise.allSettled(work);
  return Promise.all(work);
};

/** Charges; where the answer is lost, closes the charge to learn what came of it (rule 7). */
const charge = async (processor: PaymentProcessor, request: ChargeRequest): Promise<ChargeOutcome> => {
  try {
    return await processor.charge(request);
  } catch (error) {
    const outcome = await processor.close(request.orderId);
    if (outcome.status === 'closed') throw error;
    return outcome;
  }
};

/** Sets the money aside, before any charge; returns when the mandate expires. */
const reserve = async (
  { aggregates }: Checkouts,
  { orderId, bookingId, mandateId, holder, clientId, line, total: amount, holdBefore, ap2 }: Checkout,
  context: Context,
): Promise<Instant> => {
  const charge = { holder, clientId, bookingId, amount, purchase: line, ...(ap2 && { ap2: true as const }) };
  const command = { type: 'Reserve', orderId, ...charge, holdBefore } as const;
  const { events, state } = await aggregates.handle(mandates, mandateId, command, context);
  const mandate = grantedOf(state);
  for (const event of events) {
    if (event.type === 'MandateChargeRefused') throw refusedCharge(event.data, mandate);
  }
  return mandate.expiresAt;
};

/** Writes down that the holder is asked, unless the order was finished meanwhile. */
const challenge = async (
  checkouts: Checkouts,
  checkout: Checkout,
  { brand, last4, expiresAt }: Extract<ChargeOutcome, { status: 'challenged' }>,
  context: Context,
) => {
  await checkouts.challengeSlots.take(checkout, expiresAt);
  const command = { type: 'ChallengePayment', brand, last4, expiresAt } as const;
  return checkouts.aggregates.handle(orders, checkout.orderId, command, context);
};

export interface Ending {
  readonly checkout: Checkout;
  /** Why the order fails if nothing was captured and the processor gives no reason of its own. */
  readonly failure: ErrorCode;
  /** The order where it was just read: if it is paid, no other ticket code is drawn from the stock. */
  readonly order?: Order;
  /** How the charge ended, where the processor has just said so: what is final needs no closing. */
  readonly outcome?: FinalOutcome | undefined;
}

/** Confirms or cancels as the ledger says, never charging, any number of times (rules 5, 6); the booking, which leads to it, last. */
export const finishCheckout = async (
  checkouts: Checkouts,
  { checkout, failure, order, outcome: known }: Ending,
  context: Context,
): Promise<FinishedCheckout> => {
  const outcome = known ?? (await close(checkouts, checkout.orderId, order));
  const finished = await finishedBy(checkouts, outcome, { checkout, failure, order }, context);
  // A failed order may have taken a place for its challenge, and never have come to ask.
  if (finished.order.challenge || finished.order.kind === 'failed')
    await checkouts.challengeSlots.free(checkout.holder, checkout.orderId);
  return finished;
};

/** No outcome of the ledger is taken for another: a new one has to be named here. */
const finishedBy = (
  checkouts: Checkouts,
  outcome: FinalOutcome,
  { checkout, failure, order }: Ending,
  context: Context,
): Promise<FinishedCheckout> => {
  switch (outcome.status) {
    case 'captured':
      return confirm(checkouts, checkout, outcome, order, context);
    case 'refused':
    case 'closed':
      return compensate(checkouts, checkout, outcome, failure, context);
  }
};

/** Closes the ledger's row, after the holder's word on it. */
const close = async (
  { aggregates, processor }: Checkouts,
  orderId: string,
  known: Order | undefined,
): Promise<FinalOutcome> => {
  await followDecision(processor, known ?? (await aggregates.load(orders, orderId)).state);
  return processor.close(orderId);
};

/** Passes the holder's decision from the order's stream to the processor (rule 10). Safe to repeat. */
export const followDecision = async (processor: PaymentProcessor, order: Order): Promise<void> => {
  if (isChallenged(order) && order.challenge.decided)
    await processor.decide(order.checkout.orderId, order.challenge.decided.decision);
};

const confirm = async (
  { aggregates, tickets, outcomes }: Checkouts,
  checkout: Checkout,
  { id, brand, last4, amount, capturedAt }: Extract<FinalOutcome, { status: 'captured' }>,
  known: Order | undefined,
  context: Context,
): Promise<FinishedCheckout> => {
  const { orderId, bookingId, mandateId, line } = checkout;
  const payment: Payment = { id, brand, last4, amount, capturedAt, processor: 'test', method: 'card' };
  const ticketCodes: TicketCodes =
    known && isCharged(known) ? [known.ticketCode] : await tickets.drawFor(line.passengers);
  const [, order] = await together(
    aggregates.handle(mandates, mandateId, { type: 'Consume', orderId }, context),
    aggregates.handle(orders, orderId, { type: 'PayOrder', ticketCodes, payment }, context),
  );
  outcomes.written(checkout, order.events, context);
  if (!isCharged(order.state)) throw new Error(`order ${orderId} was captured and is ${order.state.kind}`);
  // Somebody else may have finished the order first: then their codes stand in its stream, and ours nowhere.
  if (order.state.ticketCode !== ticketCodes[0]) tickets.putBack(ticketCodes);
  const ticket = { type: 'TicketBooking', orderId, ticketCode: order.state.ticketCode } as const;
  await aggregates.handle(bookings, bookingId, ticket, context);
  return { order: order.state, releasedAt: null };
};

const releaseSeats = async ({ aggregates }: Checkouts, { orderId, line, holdBefore }: Checkout, context: Context) => {
  const departure = await ofDeparture(aggregates, flightIdOf(line));
  return aggregates.handle(
    flights,
    flightIdOf(line),
    { type: 'ReleaseSeats', orderId, holdBefore, ...departure },
    context,
  );
};

const compensate = async (
  checkouts: Checkouts,
  checkout: Checkout,
  outcome: Exclude<FinalOutcome, { status: 'captured' }>,
  reason: ErrorCode,
  context: Context,
): Promise<FinishedCheckout> => {
  const { aggregates, refusedCards, outcomes } = checkouts;
  const failure = outcome.status === 'refused' ? outcome.reason : reason;
  const { orderId, bookingId, mandateId, holdBefore } = checkout;
  const [, flight, order] = await together(
    aggregates.handle(mandates, mandateId, { type: 'Release', orderId, holdBefore }, context),
    releaseSeats(checkouts, checkout, context),
    aggregates.handle(orders, orderId, { type: 'FailOrder', checkout, failure }, context),
  );
  outcomes.written(checkout, order.events, context);
  if (order.state.kind !== 'failed') throw new Error(`order ${orderId} was not captured and is ${order.state.kind}`);
  // While the checkout is open, so that who finishes it after a crash counts the card as well.
  if (outcome.status === 'refused') await refusedCards.count(checkout, orderId, order.state.failedAt);
  await aggregates.handle(bookings, bookingId, { type: 'AbandonCheckout', orderId }, context);
  return { order: order.state, releasedAt: flight.position };
};
