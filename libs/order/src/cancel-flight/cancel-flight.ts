import { bookings } from '#booking';
import { departureOf, type Flight, flightAsItIs, flights } from '#catalog';
import { type Checkouts, finishCancellation, finishCheckout } from '#checkout';
import { bookingEvents, categoryOf, flightEvents, flightIdOf, idOf } from '#events';
import { type Context, DomainError, type Ids, money } from '#kernel';
import { type ChargedOrder, isCancelling, isCharged, type Order, orders, type PlacedOrder } from '../order.decider.js';

/** What has come of an order of a cancelled flight: given back whole, cancelled before, uncharged, or paid with a card that takes no refund. */
export type EndOfOrder = 'refunded' | 'cancelled' | 'failed' | 'refund_failed';

export interface OrderOfFlight {
  readonly order: PlacedOrder;
  readonly end: EndOfOrder;
}

/** The ports of an operator's command. */
interface Desk {
  readonly checkouts: Checkouts;
  readonly ids: Ids;
}

/**
 * Cancels a flight, and brings every order of it to its end, any number of times (docs/consistency.md, rule 37).
 * Yields each order once it is there, or the error that another try may overcome; `total`: how many there are.
 */
export async function* cancelFlight(
  desk: Desk,
  flight: Flight,
  reason: string,
  context: Context,
): AsyncGenerator<{ readonly orderId: string; readonly total: number; readonly found: OrderOfFlight | Error }> {
  const { aggregates } = desk.checkouts;
  const flightId = flightIdOf(flight);
  const state = await flightAsItIs(aggregates, flightId);
  const departure = state.status === 'scheduled' ? state.flight : flight;
  await aggregates.handle(flights, flightId, { type: 'CancelFlight', reason, departure }, context);
  // From here on nothing is held, so the stream has every order that may be paid.
  const orderIds = await heldIn(desk, flightId);
  const bookingOf = bookingsOf(desk, orderIds);
  for (const orderId of orderIds) {
    const found = await end(desk, { orderId, bookingOf }, departure, context).catch(asError);
    yield { orderId, total: orderIds.size, found };
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Every order that held seats of a flight, be they released since: a killed process may have released them and no more. */
const heldIn = async ({ checkouts }: Desk, flightId: string): Promise<ReadonlySet<string>> => {
  const held = new Set<string>();
  for await (const { type, data } of checkouts.events.readStream(flights.streamOf(flightId)))
    if (type === 'SeatsHeld') held.add(flightEvents.SeatsHeld.parse(data).orderId);
  return held;
};

interface HeldOrder {
  readonly orderId: string;
  readonly bookingOf: (orderId: string) => Promise<string>;
}

const end = async (desk: Desk, held: HeldOrder, flight: Flight, context: Context): Promise<OrderOfFlight> => {
  const { checkouts } = desk;
  const { aggregates } = checkouts;
  const { orderId } = held;
  const order = await settled(desk, held, context);
  if (!isCharged(order)) return { order, end: 'failed' };
  const { total } = order.checkout;
  const start = {
    type: 'StartCancellation',
    cancellationId: desk.ids.next(),
    reason: 'flight_cancelled',
    refund: total,
    fee: money(0, total.currency),
    departsAt: order.checkout.line.departureAt ?? departureOf(flight),
    quotedFrom: undefined,
    quotedUntil: checkouts.clock.now(), // no quote holds it
    runner: undefined,
  } as const;
  const begun = await aggregates.handle(orders, orderId, start, context).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'order_not_cancellable') return null; // it was begun before
    throw error;
  });
  const state: Order = begun?.state ?? (await aggregates.load(orders, orderId)).state;
  const ended = isCancelling(state) ? (await finishCancellation(checkouts, state, context)).order : state;
  if (!isCharged(ended)) throw new Error(`an order that was paid is ${ended.kind}`);
  return { order: ended, end: endOf(ended) };
};

const endOf = (order: ChargedOrder): EndOfOrder => {
  if (order.kind === 'paid') return 'refund_failed';
  return order.cancellation.reason === 'flight_cancelled' ? 'refunded' : 'cancelled';
};

/** An order whose checkout is over: charged or not, it is never charged by this. */
const settled = async (
  { checkouts }: Desk,
  { orderId, bookingOf }: HeldOrder,
  context: Context,
): Promise<PlacedOrder> => {
  const { aggregates } = checkouts;
  const { state: known } = await aggregates.load(orders, orderId);
  const bookingId = known.kind === 'none' ? await bookingOf(orderId) : known.checkout.bookingId;
  const { state: booking } = await aggregates.load(bookings, bookingId);
  if (booking.kind === 'checkout' && booking.checkout.orderId === orderId)
    return (await finishCheckout(checkouts, { checkout: booking.checkout, failure: 'flight_cancelled' }, context))
      .order;
  const { state: order } = await aggregates.load(orders, orderId);
  if (order.kind === 'none') throw new Error(`order ${orderId} has no checkout`);
  return order;
};

/** Finds the booking of an order that was not placed yet: the log alone has it, which is read once for all, and only if one is asked for. */
const bookingsOf = ({ checkouts }: Desk, orderIds: ReadonlySet<string>): HeldOrder['bookingOf'] => {
  let reading: Promise<ReadonlyMap<string, string>> | undefined;
  const read = async (): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, string>();
    for await (const { stream, type, data } of checkouts.events.readAll(null)) {
      if (categoryOf(stream) !== 'booking' || type !== 'BookingCheckoutStarted') continue;
      const { orderId } = bookingEvents.BookingCheckoutStarted.parse(data);
      if (orderIds.has(orderId)) found.set(orderId, idOf(stream));
    }
    return found;
  };
  return async (orderId) => {
    const bookingId = (await (reading ??= read())).get(orderId);
    if (bookingId === undefined) throw new Error(`order ${orderId} has no checkout`);
    return bookingId;
  };
};
