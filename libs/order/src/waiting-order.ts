import { loadBooking } from '#booking';
import type { Aggregates } from '#event-store';
import type { PlacedOrder } from './order.state.js';
import { orders } from './order.decider.js';

/** The order of this caller that has the booking and waits for its holder. */
export const waitingOrder = async (
  aggregates: Aggregates,
  { holder, clientId }: { readonly holder: string; readonly clientId: string },
  bookingId: string,
): Promise<PlacedOrder | null> => {
  const booking = await loadBooking(aggregates, bookingId);
  const isOwn = booking.kind === 'checkout' && booking.holder === holder && booking.clientId === clientId;
  if (!isOwn) return null;
  const { state } = await aggregates.load(orders, booking.checkout.orderId);
  return state.kind === 'pending' && state.challenge ? state : null;
};
