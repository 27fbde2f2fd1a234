import { type ExistingBooking, loadBooking, orderable } from '#booking';
import { fareOf, flights, hasDeparted, type ScheduledFlight, seatsLeft } from '#catalog';
import type { Aggregates } from '#event-store';
import { type Checkout } from '#events';
import { type Context, DomainError, type Instant, isId, sameMoney } from '#kernel';
import { mandates, refusedCharge } from '#mandate';
import { type Card, checkCard, type PaymentProcessor } from '#payment';
import { chooseMandate } from './choose-mandate.js';
import { lineOf } from './line.js';
import type { PlaceOrder } from './place-order.command.js';

/** The parts of a checkout that judging an order finds out. */
export type CheckedOrder = Omit<Checkout, 'holdBefore' | 'orderId'>;

/**
 * Refuses what is already refusable, holding nothing (rule 1), first reason first (docs/decisions.md, Order): the booking,
 * the flight, the seats, the mandate, the card. Answers what is being bought.
 *
 * @throws DomainError of the booking, the flight, the mandate or the card
 */
export const checkOrder = async (
  aggregates: Aggregates,
  processor: PaymentProcessor,
  { party, request, context }: PlaceOrder,
  now: Instant,
): Promise<CheckedOrder> => {
  const { bookingId, card } = request;
  const { holder, clientId } = party;
  const { choice, abandoned } = orderable(await loadBooking(aggregates, bookingId), party);
  const { flightNumber, fareCode, passengers, total } = choice;
  // `orderable` lets no draft pass.
  if (flightNumber === null || fareCode === null) throw new DomainError('booking_empty');

  const { state } = await aggregates.load(flights, flightNumber);
  if (state.status === 'unscheduled') throw new DomainError('invalid_flight');
  const fare = checkFlight(state, fareCode, now);
  if (request.expectedTotal && !sameMoney(request.expectedTotal, total)) throw new DomainError('total_changed');
  if (passengers > seatsLeft(state)) throw new DomainError('seats_unavailable');

  const charge = { holder, clientId, amount: total };
  const mandateId = request.mandateId ?? (await chooseMandate(aggregates, charge, now));
  await authorizeCharge(aggregates, mandateId, charge, context);
  checkCard(card, now);
  await checkFailedChallenges(processor, card, abandoned);
  const line = lineOf(state.flight, fare, passengers, total);
  const mandateSelection = request.mandateId === undefined ? 'implicit' : 'explicit';
  return { holder, clientId, bookingId, mandateId, mandateSelection, line, total };
};

const checkFlight = (state: ScheduledFlight, fareCode: string, now: Instant) => {
  if (hasDeparted(state.flight, now)) throw new DomainError('flight_departed');
  const fare = fareOf(state.flight, fareCode);
  // The fare was taken off sale since the booking was priced.
  if (!fare) throw new DomainError('invalid_fare');
  return fare;
};

type Charge = Pick<Checkout, 'holder' | 'clientId'> & { readonly amount: Checkout['total'] };

/** A mandate that refuses here leaves one `MandateChargeRefused` with orderId null, and nothing else is written. */
const authorizeCharge = async (
  aggregates: Aggregates,
  mandateId: string,
  charge: Charge,
  context: Context,
): Promise<void> => {
  if (!isId(mandateId)) throw new DomainError('invalid_mandate');
  const command = { type: 'AuthorizeCharge', ...charge } as const;
  const { events, state } = await aggregates.handle(mandates, mandateId, command, context);
  for (const event of events) {
    if (event.type !== 'MandateChargeRefused' || state.kind !== 'granted') continue;
    throw refusedCharge(event.data.reason, state, charge.amount);
  }
};

/** A card whose challenge failed is not asked again for the same booking, for ten minutes (docs/decisions.md, Test processor). */
const checkFailedChallenges = async (
  processor: PaymentProcessor,
  card: Card,
  abandoned: ExistingBooking['abandoned'],
): Promise<void> => {
  for (const orderId of Object.keys(abandoned)) {
    if (await processor.wasCard(orderId, card)) throw new DomainError('payment_challenge_failed');
  }
};
