import type { Links } from '#http';
import { Refusal } from '#kernel';
import type { OrderChallenge, PlacedOrder } from './order.state.js';
import { orderUrl } from './order.view.js';

/** How often (s) an agent may ask whether the traveller has decided. */
const POLL_AFTER_SECONDS = 5;

/** The page where the holder decides: `{site_url}/desafios/{id}`; a challenge goes by its order's id. */
export const challengeUrl = (orderId: string, { site }: Links): string => `${site}/desafios/${orderId}`;

/** 402: the traveller has to confirm. The same `POST /orders` completes the order afterwards (design.md §5, Test processor). */
export const challengeRequired = ({ checkout }: PlacedOrder, { expiresAt }: OrderChallenge, links: Links): Refusal => {
  const { orderId } = checkout;
  const challenge = { id: orderId, url: challengeUrl(orderId, links), expiresAt, pollAfterSeconds: POLL_AFTER_SECONDS };
  const order = { id: orderId, status: 'pending', url: orderUrl(orderId, links) };
  return new Refusal('payment_challenge_required', undefined, { members: { challenge, order } });
};
