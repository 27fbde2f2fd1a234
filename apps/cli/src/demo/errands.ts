import type { Answer } from '#agent';
import type { BookingView } from '#booking';
import type { FareQuoteView } from '#catalog';
import type { MandateView } from '#mandate';
import type { OrderView } from '#order';
import { CARD, type Flights, type Refused } from './purchase.js';

/** One call of an agent, when its turn comes. `path` is that of the API; `as`: how the demo describes it. */
export type Call = <Body>(method: string, path: string, body?: unknown, as?: string) => Promise<Answer<Body>>;

/** An agent, and the traveller it buys for; null: it has no token. */
export interface Agent {
  readonly call: Call;
  readonly allow: ((url: string) => Promise<void>) | null;
}

type Errand = (agent: Agent, round: number) => Promise<void>;

const PLACES = ['recife', 'salvador', 'galeão', 'congonhas', 'brasília', 'curitiba', 'manaus', 'lugar nenhum'];

const choose = async ({ call }: Agent, round: number) => {
  const place = PLACES[round % PLACES.length] ?? '';
  const { body: found } = await call<Flights>('GET', `/flights?q=${encodeURIComponent(place)}`, undefined, '/flights');
  const flight = found.items[round % Math.max(1, found.items.length)];
  if (!flight) return null;
  const { flightNumber } = flight;
  await call('GET', `/flights/${flightNumber}`, undefined, '/flights/{flightNumber}');
  const budget = 40_000 + (round % 5) * 30_000;
  const path = `/flights/${flightNumber}/fares?budget=${budget}`;
  const { body: quote } = await call<FareQuoteView>('GET', path, undefined, '/flights/{flightNumber}/fares');
  const fare = quote.bestByConstraints ?? quote.options[0];
  return fare ? { flightNumber, fareCode: fare.fareCode } : null;
};

const compare: Errand = async (agent, round) => {
  await choose(agent, round);
};

/** Books and asks for a mandate of so much more or less than it costs. */
const prepare = async (agent: Agent, round: number, more: number) => {
  const chosen = await choose(agent, round);
  if (!chosen || !agent.allow) return null;
  const { status, body: booking } = await agent.call<BookingView>('POST', '/bookings', { ...chosen, passengers: 1 });
  if (status !== 201) return null;
  const { amount, currency } = booking.total;
  const limit = { amount: Math.max(100, amount + more), currency };
  const asked = { limit, durationMinutes: 10 };
  const { status: granted, body: mandate } = await agent.call<MandateView>('POST', '/mandates', asked);
  if (granted !== 201) return null;
  if (mandate.approval) await agent.allow(mandate.approval.url);
  return { bookingId: booking.id, mandateId: mandate.id };
};

const buy: Errand = async (agent, round) => {
  const prepared = await prepare(agent, round, 5_000);
  if (!prepared) return;
  const { status, body: order } = await agent.call<OrderView>('POST', '/orders', { ...prepared, payment: CARD });
  if (status === 201) await agent.call('GET', `/orders/${order.id}/receipt`, undefined, '/orders/{id}/receipt');
};

const overLimit: Errand = async (agent, round) => {
  const prepared = await prepare(agent, round, -5_000);
  if (!prepared) return;
  await agent.call<Refused>('POST', '/orders', { ...prepared, payment: CARD });
  await agent.call('DELETE', `/mandates/${prepared.mandateId}`, undefined, '/mandates/{id}');
};

const DECLINED = { ...CARD, cardNumber: '4000 0000 0000 0002' };

const declined: Errand = async (agent, round) => {
  const prepared = await prepare(agent, round, 5_000);
  if (prepared) await agent.call<Refused>('POST', '/orders', { ...prepared, payment: DECLINED });
};

const mistaken: Errand = async ({ call }, round) => {
  await call('GET', `/flights/XX${100 + (round % 900)}`, undefined, '/flights/{flightNumber}');
  await call('POST', '/bookings', { flightNumber: `XX${100 + (round % 900)}`, fareCode: 'LEVE' });
};

const byTool: Errand = async ({ call }, round) => {
  const q = PLACES[round % PLACES.length] ?? '';
  await call('POST', '/webmcp/call', { tool: 'search_flights', arguments: { q } });
};

const lookBack: Errand = async ({ call }) => {
  for (const path of ['/bookings', '/mandates', '/orders']) await call('GET', path);
};

/** In this order, over and over; more is searched than bought, and more bought than refused. */
export const ERRANDS: readonly Errand[] = [
  compare,
  buy,
  byTool,
  compare,
  overLimit,
  buy,
  mistaken,
  compare,
  declined,
  lookBack,
];
