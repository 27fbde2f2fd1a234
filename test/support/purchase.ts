import type { Answer, Api } from '#agent';
import type { Booking, List, Mandate, Money, Order } from './answers.js';

export const GOOD_CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' } as const;
export const DECLINED_CARD = { ...GOOD_CARD, cardNumber: '4000000000000002' } as const;

/** AL1201 at its cheapest: 279,90 a passenger, 118 seats. */
export const TRIP = { flightNumber: 'AL1201', fareCode: 'LEVE', passengers: 1 } as const;
export const TRIP_PRICE = 279_90;

/** A date on sale, in UTC: so many days from now. */
export const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The same trip on a day that stays on sale, however late it is and however much time a test lets pass. */
export const laterTrip = () => ({ ...TRIP, date: dayIn(20) });

export const bodyOf = <Body>({ status, body }: Answer<Body>, wanted: number): Body => {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${JSON.stringify(body)}`);
  return body;
};

export const brl = (amount: number) => ({ amount, currency: 'BRL' });

export const book = async (api: Api, trip: object = TRIP): Promise<Booking> =>
  bodyOf(await api.post<Booking>('/bookings', trip), 201);

export const grant = async (api: Api, amount: number, more: object = {}): Promise<Mandate> =>
  bodyOf(await api.post<Mandate>('/mandates', { limit: brl(amount), ...more }), 201);

/** The order of a booking, whatever is answered. */
export const order = (api: Api, { id: bookingId }: Booking, { id: mandateId }: Mandate, payment: object = GOOD_CARD) =>
  api.post<Order>('/orders', { bookingId, mandateId, payment });

export const buy = async (api: Api, booking: Booking, mandate: Mandate): Promise<Order> =>
  bodyOf(await order(api, booking, mandate), 201);

/** Cancels an order as it is quoted. Returns the cents that come back. */
export const giveBack = async (api: Api, { id }: Order): Promise<number> => {
  const path = `/orders/${id}/cancellations`;
  const quote = bodyOf(await api.post<{ readonly id: string; readonly refund: Money }>(path), 201);
  bodyOf(await api.post(`${path}/${quote.id}/confirm`), 200);
  return quote.refund.amount;
};

export const mandateNow = async (api: Api, { id }: Mandate): Promise<Mandate> =>
  bodyOf(await api.get<Mandate>(`/mandates/${id}`), 200);

export const wholeList = async <Item>(api: Api, path: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const joint = path.includes('?') ? '&' : '?';
    const from: string = cursor && `&cursor=${cursor}`;
    const page = bodyOf(await api.get<List<Item>>(`${path}${joint}limit=500${from}`), 200);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
};
