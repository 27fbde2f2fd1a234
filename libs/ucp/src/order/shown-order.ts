import { flightAsItIs } from '#catalog';
import type { Aggregates } from '#event-store';
import type { Instant } from '#kernel';
import type { ChargedOrder } from '#order';
import type { Asking } from '../asking.js';
import { type Beside, ucpOrderView } from './order.view.js';

/** An order as it is now, for its platform: what it reads is what it is told. */
export const shownOrder = async (
  aggregates: Aggregates,
  order: ChargedOrder,
  beside: Omit<Beside, 'flightCancelledAt'>,
  asking: Pick<Asking, 'active' | 'urls'>,
) => ucpOrderView(order, { ...beside, flightCancelledAt: await flightCancelledAt(aggregates, order) }, asking);

/** null for one that had ended otherwise before. */
const flightCancelledAt = async (aggregates: Aggregates, order: ChargedOrder): Promise<Instant | null> => {
  const { line } = order.checkout;
  if (order.kind === 'cancelled' && order.cancellation.reason !== 'flight_cancelled') return null;
  const state = await flightAsItIs(aggregates, line.flightId ?? line.flightNumber);
  return (state.status === 'scheduled' && state.flight.cancelledAt) || null;
};
