import { fareOf, flightAsItIs, soldFare } from '#catalog';
import type { Aggregates } from '#event-store';
import { DEFAULT_CONDITIONS, type Line } from '#events';
import { hashOf, normalized } from '#identity';
import { canonicalJson, money } from '#kernel';
import type { Offer, Onlooker } from '#portal';
import { totalOf } from '../checkout/buy-session.js';
import type { Buyer, Session } from '../checkout/stored-session.js';

/** The buyer of a session where they are this account: by the e-mail address, which is theirs alone. Its id may be in any hands. */
export const buyerAs = ({ email }: Onlooker, buyer: Buyer | undefined): Buyer | null =>
  buyer?.email !== undefined && normalized(buyer.email) === normalized(email) ? buyer : null;

/** What is bought by a session, at the price in it; null: it is sold no more. */
export const lineOffered = async (aggregates: Aggregates, { body }: Session): Promise<Line | null> => {
  const { flightId, fareCode, quantity: passengers, price, taxes, currency, title } = body.line;
  const state = await flightAsItIs(aggregates, flightId);
  const fare = state.status === 'scheduled' ? fareOf(state.flight, fareCode) : undefined;
  if (state.status !== 'scheduled' || !fare) return null;
  const { flightNumber, from, to, departureDate, departureTime } = state.flight;
  return {
    ...{ description: title, flightId, flightNumber, from, to, departureDate, departureTime, passengers },
    ...soldFare(fare),
    unitPrice: money(price, currency),
    subtotal: totalOf(body),
    taxes: money(taxes * passengers, currency),
    conditions: fare.conditions ?? DEFAULT_CONDITIONS,
  };
};

/** An offer with what stands for it. */
export const asShown = ({ body }: Session, offer: Omit<Offer, 'shown'>): Offer => {
  const { line, buyer, raised } = offer;
  return { ...offer, shown: hashOf(canonicalJson({ platform: body.platform, line, buyer, raised })) };
};
