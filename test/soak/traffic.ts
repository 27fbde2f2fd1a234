import type { Api } from '#agent';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { tripOf } from '../bench/flights.js';
import { bodyOf, book, brl, buy, DECLINED_CARD, grant, mandateNow, order } from '../support/purchase.js';

/** More than any run spends, in cents; and a limit below every fare. */
const [ENOUGH, LITTLE] = [10_000_000_000, 1_00];
/** A mandate that pays for so many orders, and lapses soon after; and one that lasts longer than any run. */
const [ORDERS_OF_ONE, SHORT, LONG] = [200, { durationMinutes: 2 }, { durationMinutes: 10_080 }];

/** Agents and visitors as they are mixed: mostly reads, some bookings, few purchases, and refusals of each kind. */
export interface Traffic {
  /** The n-th call, or the few that make up one errand; throws if it is not answered as it is documented. */
  readonly call: (n: number) => Promise<void>;
}

type Errand = (n: number) => Promise<unknown>;

/** The traffic of one agent, on flights of test/bench/flights.ts. */
export const openTraffic = async (api: Api): Promise<Traffic> => {
  let rich = await grant(api, ENOUGH, SHORT);
  const poor = await grant(api, LITTLE, LONG);
  const paid = await buy(api, await book(api, tripOf(0)), rich);
  let booked = await book(api, tripOf(1));
  let orders = 0;
  /** A booking to be ordered, all flights in turn, and a mandate for it; the one before lapses after a while. */
  const toBuy = async (): Promise<readonly [Booking, Mandate]> => {
    orders += 1;
    if (orders % ORDERS_OF_ONE === 0) rich = await grant(api, ENOUGH, SHORT);
    return [await book(api, tripOf(orders)), rich];
  };

  const read = (path: string): Errand => {
    return async () => bodyOf(await api.get(path), 200);
  };
  const refused = async (booking: Booking, mandate: Mandate, status: number, payment?: object): Promise<void> => {
    bodyOf<unknown>(await order(api, booking, mandate, payment), status);
  };
  const errands: Readonly<Record<string, { readonly share: number; readonly run: Errand }>> = {
    search: { share: 12, run: read('/flights?q=sao+paulo&limit=20') },
    flight: { share: 24, run: (n) => read(`/flights/${tripOf(n).flightNumber}`)(n) },
    fares: { share: 12, run: (n) => read(`/flights/${tripOf(n).flightNumber}/fares?budget=90000`)(n) },
    receipt: { share: 6, run: read(`/orders/${paid.id}/receipt`) },
    orders: { share: 4, run: read('/orders?limit=20') },
    history: { share: 2, run: read(`/mandates/${poor.id}`) },
    booking: {
      share: 20,
      run: async (n) => {
        booked = await book(api, tripOf(n));
      },
    },
    change: {
      share: 6,
      run: async (n) => bodyOf(await api.call('PATCH', `/bookings/${booked.id}`, { passengers: 1 + (n % 3) }), 200),
    },
    mandate: {
      share: 4,
      run: async () => {
        const { id } = await grant(api, ENOUGH);
        bodyOf(await api.call('DELETE', `/mandates/${id}`), 200);
        await mandateNow(api, poor);
      },
    },
    purchase: {
      share: 2,
      run: async () => {
        const { id } = await buy(api, ...(await toBuy()));
        bodyOf(await api.get<Order>(`/orders/${id}`), 200);
      },
    },
    declined: { share: 4, run: async () => refused(...(await toBuy()), 402, DECLINED_CARD) },
    'too dear': { share: 3, run: async (n) => refused(await book(api, tripOf(n)), poor, 422) },
    'too much': { share: 1, run: async () => bodyOf(await api.post('/mandates', { limit: brl(-1) }), 422) },
  };
  // A purchase or a search comes now and then and not all at once.
  const spread = Object.values(errands)
    .flatMap(({ share, run }) => Array.from({ length: share }, (_, place) => ({ at: (place + 0.5) / share, run })))
    .sort((one, other) => one.at - other.at);
  return {
    call: async (n) => {
      await spread[n % spread.length]?.run(n);
    },
  };
};
