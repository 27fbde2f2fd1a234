import type { BaseUrls } from '#http';
import { DomainError } from '#kernel';
import type { OrderChallenge, PlacedOrder } from './order.state.js';
import { orderUrl } from './order.view.js';

/** How often (s) an agent may ask whether the traveller has decided. */
const POLL_AFTER_SECONDS = 5;

/** The page where the holder decides: `{site_url}/desafios/{id}`; a challenge goes by its order's id. */
export const challengeUrl = (orderId: string, { site }: BaseUrls): string => `${site}/desafios/${orderId}`;

/** 402: the traveller has to confirm. The same `POST /orders` completes the order afterwards (docs/decisions.md, Test processor). */
export const challengeRequired = (
  { checkout }: PlacedOrder,
  { expiresAt }: OrderChallenge,
  urls: BaseUrls,
): DomainError => {
  const { orderId } = checkout;
  const challenge = { id: orderId, url: challengeUrl(orderId, urls), expiresAt, pollAfterSeconds: POLL_AFTER_SECONDS };
  const order = { id: orderId, status: 'pending', url: orderUrl(orderId, urls) };
  return new DomainError('payment_challenge_required', undefined, { members: { challenge, order } });
};
