import { flightIdOf, idOf } from '#events';
import type { Books } from '../../support/books.js';
import { SKEW } from '../../support/mandate-findings.js';

/** How many challenges of a holder and of one agent wait at most, with how many seats of one flight, and how long (ms) after their end. */
const [ORDERS, OF_AGENT, SEATS, HOLD] = [3, 2, 9, 60_000];

/** How many challenges wait at once (rule 10). A place is given back after its order is ended, so that none is counted twice. */
export const waitingFindings = ({ events }: Books): readonly string[] => {
  const found: string[] = [];
  const orders = new Map<
    string,
    { readonly holder: string; readonly agent: string; readonly flight: string; readonly seats: number }
  >();
  const waiting = new Map<string, number>();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    if (type === 'BookingCheckoutStarted') {
      const { passengers } = data.line;
      orders.set(data.orderId, {
        holder: data.holder,
        agent: data.clientId,
        flight: flightIdOf(data.line),
        seats: passengers,
      });
    }
    if (type === 'OrderPaid' || type === 'OrderFailed') waiting.delete(id);
    if (type !== 'PaymentChallenged') continue;
    waiting.set(id, Date.parse(data.expiresAt) + HOLD - SKEW);
    const asked = orders.get(id);
    const now = Date.parse(stored.metadata.occurredAt);
    const others = [...waiting].flatMap(([orderId, until]) => {
      const order = orders.get(orderId);
      return order && order.holder === asked?.holder && until > now ? [order] : [];
    });
    const ofFlight = others.filter(({ flight }) => flight === asked?.flight);
    const seats = ofFlight.reduce((sum, order) => sum + order.seats, 0);
    const ofAgent = others.filter(({ agent }) => agent === asked?.agent);
    if (ofAgent.length > OF_AGENT) found.push(`${ofAgent.length} challenges of ${asked?.agent} wait at once`);
    if (others.length > ORDERS) found.push(`${others.length} challenges of ${asked?.holder} wait at once`);
    if (seats > SEATS) found.push(`${seats} seats of a flight wait for ${asked?.holder} at once`);
  }
  return found;
};
