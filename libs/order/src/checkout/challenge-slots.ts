import type { Instant } from '#kernel';
import type { CheckoutDependencies } from './checkout-dependencies.js';

/**
 * Takes a place for an order's challenge; answers false where all are taken. This limits how many challenges of one
 * holder wait at once (docs/consistency.md, rule 10). A place is a document, so that of orders at the same moment no more
 * get one than there are; it frees itself when the challenge expires.
 */
export const takeChallengeSlot = async (
  { challengeSlots, settings }: CheckoutDependencies,
  { holder, orderId, expiresAt }: { readonly holder: string; readonly orderId: string; readonly expiresAt: Instant },
): Promise<boolean> => {
  if (settings.openChallenges === 0) return true;
  for (const id of slotsOf(holder, settings.openChallenges)) {
    if (await challengeSlots.insertIfAbsent(id, { orderId }, { expiresAt })) return true;
  }
  return false;
};

/** Frees the place of an order whose challenge is over. */
export const freeChallengeSlot = async (
  { challengeSlots, settings }: CheckoutDependencies,
  { holder, orderId }: { readonly holder: string; readonly orderId: string },
): Promise<void> => {
  for (const id of slotsOf(holder, settings.openChallenges)) {
    const slot = await challengeSlots.get(id);
    if (slot?.body.orderId === orderId) await challengeSlots.delete(id, slot.version);
  }
};

const slotsOf = (holder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => `${holder}.${place}`);
