import { type ExistingBooking, loadBooking, orderable } from '#booking';
import { fareOf, flightDecider, hasDeparted, type ScheduledFlight, seatsLeft } from '#catalog';
import type { Aggregates } from '#event-store';
import { type Checkout, flightStream, mandateStream } from '#events';
import { type Context, isId, type Instant, Refusal, sameMoney } from '#kernel';
import { mandateDecider, refusedCharge } from '#mandate';
import { type Card, judgeCard, type PaymentProcessor } from '#payment';
import { chooseMandate } from './choose-mandate.js';
import { lineOf } from './line.js';
import type { PlaceOrder } from './place-order.command.js';

/** The parts of a checkout that judging an order finds out. */
export type Judged = Omit<Checkout, 'holdBefore' | 'orderId'>;

/**
 * Refuses what is already refusable, holding nothing (rule 1), first reason first (design.md §5, Order): the booking,
 * the flight, the seats, the mandate, the card. Answers what is being bought.
 *
 * @throws Refusal of the booking, the flight, the mandate or the card
 */
export const judgeOrder = async (
  aggregates: Aggregates,
  processor: PaymentProcessor,
  { by, wish, context }: PlaceOrder,
  now: Instant,
): Promise<Judged> => {
  const { bookingId, card } = wish;
  const { holder, clientId } = by;
  const { choice, abandoned } = orderable(await loadBooking(aggregates, bookingId), by);
  const { flightNumber, fareCode, passengers, total } = choice;
  // `orderable` lets no draft pass.
  if (flightNumber === null || fareCode === null) throw new Refusal('booking_empty');

  const { state } = await aggregates.load(flightStream(flightNumber), flightDecider);
  if (state.status === 'unscheduled') throw new Refusal('invalid_flight');
  const fare = judgeFlight(state, fareCode, now);
  if (wish.expectedTotal && !sameMoney(wish.expectedTotal, total)) throw new Refusal('total_changed');
  if (passengers > seatsLeft(state)) throw new Refusal('seats_unavailable');

  const charge = { holder, clientId, amount: total };
  const mandateId = wish.mandateId ?? (await chooseMandate(aggregates, charge, now));
  await judgeMandate(aggregates, mandateId, charge, context);
  judgeCard(card, now);
  await judgeFailedChallenges(processor, card, abandoned);
  const line = lineOf(state.flight, fare, passengers, total);
  const mandateSelection = wish.mandateId === undefined ? 'implicit' : 'explicit';
  return { holder, clientId, bookingId, mandateId, mandateSelection, line, total };
};

const judgeFlight = (state: ScheduledFlight, fareCode: string, now: Instant) => {
  if (hasDeparted(state.flight, now)) throw new Refusal('flight_departed');
  const fare = fareOf(state.flight, fareCode);
  // The fare was taken off sale since the booking was priced.
  if (!fare) throw new Refusal('invalid_fare');
  return fare;
};

type Charge = Pick<Checkout, 'holder' | 'clientId'> & { readonly amount: Checkout['total'] };

/** A mandate that refuses here leaves one `MandateChargeRefused` with orderId null, and nothing else is written. */
const judgeMandate = async (
  aggregates: Aggregates,
  mandateId: string,
  charge: Charge,
  context: Context,
): Promise<void> => {
  if (!isId(mandateId)) throw new Refusal('invalid_mandate');
  const command = { type: 'JudgeCharge', ...charge } as const;
  const { events, state } = await aggregates.handle(mandateStream(mandateId), mandateDecider, command, context);
  for (const event of events) {
    if (event.type !== 'MandateChargeRefused' || state.kind !== 'granted') continue;
    throw refusedCharge(event.data.reason, state, charge.amount);
  }
};

/** A card whose challenge failed is not asked again for the same booking, for ten minutes (design.md §5, Test processor). */
const judgeFailedChallenges = async (
  processor: PaymentProcessor,
  card: Card,
  abandoned: ExistingBooking['abandoned'],
): Promise<void> => {
  for (const orderId of Object.keys(abandoned)) {
    if (await processor.wasCard(orderId, card)) throw new Refusal('payment_challenge_failed');
  }
};
