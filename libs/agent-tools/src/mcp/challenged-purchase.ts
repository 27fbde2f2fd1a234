import type { Caller, DomainError } from '#kernel';
import { moneyText } from '#site';
import type { Readers } from '../readers.js';

/**
 * What a refusal asks its traveller to confirm, by which they decide: `R$ 489,90: AL4011, São Paulo → Recife`. Undefined
 * where it asks for no confirmation.
 */
export const challengedPurchase = async (
  { code, members = {} }: DomainError,
  caller: Caller | null,
  { flights, orders }: Readers,
): Promise<string | undefined> => {
  const { challenge } = members as { readonly challenge?: { readonly id: string } };
  if (code !== 'payment_challenge_required' || !challenge || !caller) return undefined;
  const { checkout } = await orders.get(challenge.id, caller.holder);
  const { flightNumber, from, to } = checkout.line;
  const airports = await flights.airports();
  const cityOf = (airport: string): string => airports.find((one) => one.code === airport)?.city ?? airport;
  return `${moneyText(checkout.total)}: ${flightNumber}, ${cityOf(from)} → ${cityOf(to)}`;
};
