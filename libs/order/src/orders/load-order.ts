import type { Aggregates } from '#event-store';
import { isId } from '#kernel';
import { orders, type PlacedOrder } from '../order.decider.js';

/** An order of this holder as its stream has it now; null for an unknown one and another holder's alike. */
export const loadOrder = async (
  aggregates: Aggregates,
  orderId: string,
  holder: string,
): Promise<PlacedOrder | null> => {
  if (!isId(orderId)) return null;
  const { state } = await aggregates.load(orders, orderId);
  return state.kind !== 'none' && state.checkout.holder === holder ? state : null;
};
