import { ListAirports } from '#catalog';
import type { Buses } from '#http';
import type { Caller, DomainError } from '#kernel';
import { GetOrder } from '#order';
import { moneyText } from '#site';

/**
 * What a refusal asks its traveller to confirm, by which they decide: `R$ 489,90: AL4011, São Paulo → Recife`. Undefined
 * where it asks for no confirmation.
 */
export const challengedPurchase = async (
  { code, members = {} }: DomainError,
  caller: Caller | null,
  queries: Buses['queries'],
): Promise<string | undefined> => {
  const { challenge } = members as { readonly challenge?: { readonly id: string } };
  if (code !== 'payment_challenge_required' || !challenge || !caller) return undefined;
  const { checkout } = await queries.execute(new GetOrder(challenge.id, caller.holder));
  const { flightNumber, from, to } = checkout.line;
  const airports = await queries.execute(new ListAirports());
  const cityOf = (airport: string): string => airports.find((one) => one.code === airport)?.city ?? airport;
  return `${moneyText(checkout.total)}: ${flightNumber}, ${cityOf(from)} → ${cityOf(to)}`;
};
