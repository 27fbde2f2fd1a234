import { checkTravellers, type ExistingBooking, isPromised, type People } from '#booking';
import {
  departureOf,
  fareOf,
  type Flight,
  flightAsItIs,
  flights,
  type FlightState,
  noSuchFare,
  requireOnSale,
  type ScheduledFlight,
  seatsLeft,
  soldFare,
} from '#catalog';
import { type Buyer, type Card, checkCard, type Checkouts } from '#checkout';
import {
  type Charge,
  chargeRefusal,
  grantedOf,
  type KnownDelegation,
  mandates,
  refusedCharge,
  spendable,
} from '#mandate';
import {
  type Checkout,
  DEFAULT_CONDITIONS,
  type Fare,
  fareFor,
  flightIdOf,
  type FlightName,
  flightNameOf,
  type Line,
  type RedeemedMandates,
} from '#events';
import { type Context, DomainError, type Instant, isId, type Money, money, type Party, sameMoney } from '#kernel';
import type { Metadata } from '#http';
import { orders } from '../order.decider.js';
import { type ChargedPrice, chargedPrice, type NamedPrice } from './charged-price.rule.js';
import type { MandateChoice } from './choose-mandate.js';

/** What somebody was shown that they buy. */
export interface ShownPurchase extends Pick<Line, 'passengers' | 'fareCode'> {
  readonly flightId: string;
  readonly total: Money;
}

/** What an agent orders. `mandateId` undefined: none was named. */
export interface OrderRequest extends NamedPrice {
  readonly bookingId: string;
  readonly mandateId: string | undefined;
  readonly buyer: Buyer | undefined;
  readonly card: Card;
  readonly metadata?: Metadata | undefined;
  /** Who flies; what is not said here is as the booking has it. */
  readonly people?: People;
  /** The mandates of AP2 that authorize it. */
  readonly ap2?: RedeemedMandates | undefined;
  /** What its buyer was shown, to the cent: nothing else is bought. Absent: the booking says what is bought. */
  readonly shown?: ShownPurchase | undefined;
}

/** What of a checkout is known once its order is checked, and what of its booking it was judged by. */
export interface CheckedOrder {
  readonly terms: Omit<Checkout, 'holdBefore' | 'orderId'>;
  readonly judged: { readonly choice: ExistingBooking['choice']; readonly wasPromised: boolean };
  /** What the request named, where it pays more than was promised. */
  readonly accepted: Money | undefined;
}

/** What an order is checked against, with booking and delegation as their streams have them now. */
interface Circumstances {
  readonly party: Party;
  readonly booking: ExistingBooking;
  readonly delegation: KnownDelegation;
  readonly mandateChoice: MandateChoice;
  readonly context: Context;
}

/** Refuses what can be refused holding nothing (rule 1), in order (docs/decisions.md, Order). @throws DomainError, TooManyChallenges */
export const checkOrder = async (
  checkouts: Checkouts,
  request: OrderRequest,
  { party, booking, delegation, mandateChoice, context }: Circumstances,
): Promise<CheckedOrder> => {
  const { aggregates, clock } = checkouts;
  const { holder, clientId } = party;
  const now = clock.now();
  const { bookingId, choice, abandoned } = booking;
  const { flightNumber, fareCode, passengers } = choice;
  // `orderable` lets no draft pass.
  if (flightNumber === null || fareCode === null) throw new DomainError('booking_empty');
  const name = flightNameOf({ ...choice, flightNumber });

  const isOnSale = (known: FlightState): boolean =>
    known.status === 'scheduled' && fareOf(known.flight, fareCode) !== undefined && passengers <= seatsLeft(known);
  const wasPromised = isPromised(choice, now);
  // A price that is no longer promised is that of the flight's stream (rule 34).
  const known = wasPromised ? await aggregates.known(flights, flightIdOf(name), isOnSale) : null;
  const state = await flightAsItIs(aggregates, flightIdOf(name), known?.state);
  if (state.status === 'unscheduled') throw new DomainError('invalid_flight');
  const fare = checkFlight(state, fareCode, now);
  const { conditions = DEFAULT_CONDITIONS } = fare;
  const today = wasPromised ? null : { ...fareFor(fare, passengers, state.flight.currency), conditions };
  const { accepted, ...price } = chargedPrice(choice, today, request);
  const bought = { flightId: flightIdOf(name), fareCode, passengers, total: price.total };
  if (request.shown && !isSame(request.shown, bought)) throw new DomainError('total_changed');
  if (passengers > seatsLeft(state)) throw new DomainError('seats_unavailable');
  // Those of the booking fitted it when they were said.
  checkTravellers(request.people ?? {}, passengers, { now, departs: state.flight.departureDate });

  const line = lineOf(state.flight, fare, passengers, price);
  const ap2 = request.ap2 && { ap2: true as const };
  const charge = { amount: price.total, purchase: line, ...ap2 };
  const mandateId = request.mandateId ?? (await mandateChoice.choose(delegation, charge, now));
  await authorizeCharge(checkouts, delegation, mandateId, { holder, clientId, bookingId, ...charge }, context);
  checkCard(request.card, now);
  await checkFailedChallenges(checkouts, request.card, abandoned);
  await checkWaitingChallenges(checkouts, request.card, holder, { ...name, seats: passengers, clientId });
  const mandateSelection = request.mandateId === undefined ? 'implicit' : 'explicit';
  const terms = { holder, clientId, bookingId, mandateId, mandateSelection, line, total: price.total } as const;
  return { terms, judged: { choice, wasPromised }, accepted };
};

const isSame = (one: ShownPurchase, other: ShownPurchase): boolean =>
  one.flightId === other.flightId &&
  one.fareCode === other.fareCode &&
  one.passengers === other.passengers &&
  sameMoney(one.total, other.total);

const checkFlight = (state: ScheduledFlight, fareCode: string, now: Instant) => {
  requireOnSale(state.flight, now);
  const fare = fareOf(state.flight, fareCode);
  // The fare was taken off sale since the booking was priced.
  if (!fare) throw noSuchFare(state.flight);
  return fare;
};

/** A refusal is recorded. A mandate that allows the charge is only read, since a command would wait for the orders that write to it. */
const authorizeCharge = async (
  { aggregates, clock }: Checkouts,
  { openMandates, ending }: KnownDelegation,
  mandateId: string,
  charge: Charge,
  context: Context,
): Promise<void> => {
  if (!isId(mandateId)) throw new DomainError('invalid_mandate');
  // One that was revoked is no longer open in the delegation, and one that was narrowed is so there as well, whatever this
  // process knows of it.
  const open = ending.includes(mandateId) ? undefined : openMandates[mandateId];
  const { state: known } = await aggregates.known(
    mandates,
    mandateId,
    (state) => state.kind === 'granted' && open !== undefined && sameMoney(state.limit, open.limit),
  );
  if (chargeRefusal(spendable(known, charge), charge, clock.now()) === null) return;
  const command = { type: 'AuthorizeCharge', ...charge } as const;
  const { events, state } = await aggregates.handle(mandates, mandateId, command, context);
  for (const event of events) {
    if (event.type === 'MandateChargeRefused') throw refusedCharge(event.data, grantedOf(state));
  }
};

/** A card whose challenge failed is not asked again for the same booking, for ten minutes (docs/decisions.md, Test processor). */
const checkFailedChallenges = async (
  { aggregates, processor }: Checkouts,
  card: Card,
  abandoned: ExistingBooking['abandoned'],
): Promise<void> => {
  for (const orderId of Object.keys(abandoned)) {
    if (!(await processor.wasCard(orderId, card))) continue;
    const { state } = await aggregates.load(orders, orderId);
    const wasApproved = state.kind === 'failed' && state.failure === 'payment_not_completed';
    throw new DomainError(wasApproved ? 'payment_not_completed' : 'payment_challenge_failed');
  }
};

/** Where no more challenges may wait, the card of one that does is not asked again: it would only be challenged. */
const checkWaitingChallenges = async (
  { processor, challengeSlots }: Checkouts,
  card: Card,
  holder: string,
  wanted: FlightName & { readonly seats: number; readonly clientId: string },
): Promise<void> => {
  const tooMany = await challengeSlots.refusal(holder, wanted);
  if (!tooMany) return;
  for (const orderId of tooMany.waiting) if (await processor.wasCard(orderId, card)) throw tooMany;
};

/** The receipt's line, frozen when the checkout opens: what is bought, at the price that is charged. */
const lineOf = (flight: Flight, fare: Fare, passengers: number, { total, taxes, conditions }: ChargedPrice): Line => {
  const { flightId, flightNumber, from, to, toCity, departureDate, departureTime } = flight;
  const departureAt = departureOf(flight);
  return {
    description: `Voo ${flightNumber}, ${from}–${to} (${toCity}), tarifa ${fare.name}`,
    flightId,
    flightNumber,
    from,
    to,
    departureDate,
    departureTime,
    departureAt: departureAt ?? undefined,
    ...soldFare(fare),
    passengers,
    // A booking's total is a price per passenger times passengers, so this divides exactly.
    unitPrice: money(total.amount / passengers, total.currency),
    subtotal: total,
    taxes,
    conditions,
  };
};
