import { departureOf, flights } from '#catalog';
import type { Locators } from '#checkout';
import type { EventStore } from '#event-store';
import { type AnyEvent, categoryOf, type EncodedEvent, flightIdOf, type StreamType } from '#events';
import type { BaseUrls } from '#http';
import { delegations, grantedOf, mandates, mandateView } from '#mandate';
import { challengeUrl, orders, orderView } from '#order';
import type {
  AgentEventView,
  ChallengeEventView,
  FlightEventView,
  MandateEventView,
  OrderEventView,
} from './event.view.js';
import type { Place } from './places.js';

export type EventData = OrderEventView | ChallengeEventView | MandateEventView | AgentEventView | FlightEventView;

interface Shown {
  readonly urls: BaseUrls;
  readonly locators: Locators;
}

/** What an event says of its resource: as it was at the event's moment, and at no later one. */
type DataAt = (place: Place, shown: Shown) => EventData;

/** A stream folded event by event; after each of them the data of that moment. */
interface Folding {
  readonly add: (stored: EncodedEvent) => void;
  readonly data: DataAt;
}

const folding = <State, Event extends AnyEvent>(
  type: Pick<StreamType<never, State, never, Event>, 'decider' | 'decode'>,
  dataOf: (state: State, place: Place, shown: Shown) => EventData,
): (() => Folding) => {
  return () => {
    let state = type.decider.initialState();
    return {
      add: (stored) => {
        state = type.decider.evolve(state, type.decode(stored));
      },
      data: (place, shown) => dataOf(state, place, shown),
    };
  };
};

/** By category of streams. */
const FOLDINGS: Readonly<Record<string, () => Folding>> = {
  [orders.category]: folding(orders, (order, { type, at }, { urls, locators }) => {
    if (order.kind === 'none') throw new Error('an order that tells something was placed');
    const { mandateId, total, orderId } = order.checkout;
    if (type === 'challenge.requested' || type === 'challenge.decided') {
      const { expiresAt = at, decided = null } = order.challenge ?? {};
      const status = decided === null ? 'waiting' : decided.decision === 'approve' ? 'approved' : 'denied';
      return { orderId, mandateId, status, grandTotal: total, url: challengeUrl(orderId, urls), expiresAt };
    }
    const { metadata: _, tickets, ...view } = orderView(order, urls, { locators });
    return { ...view, tickets: tickets.map(({ ticketCode }) => ({ ticketCode })), mandateId };
  }),
  [mandates.category]: folding(mandates, (mandate, { at }, { urls }) => {
    const { metadata: _, ...view } = mandateView({ mandate: grantedOf(mandate), at }, urls);
    return view;
  }),
  [delegations.category]: folding(delegations, (_, { clientId, at }) => ({ clientId, revokedAt: at })),
  [flights.category]: folding(flights, (state, { at, orderIds = [] }) => {
    if (state.status !== 'scheduled') throw new Error('a flight that is cancelled was scheduled');
    const { flight } = state;
    const { flightNumber, from, to, departureDate, departureTime } = flight;
    return {
      flightId: flightIdOf(flight),
      ...{ flightNumber, from, to, departureDate, departureTime },
      departureAt: departureOf(flight),
      cancelledAt: at,
      orderIds,
    };
  }),
};

/** By key, what each event says of its resource. A stream is read once, up to the last of its events that is asked for. */
export const resourcesOf = async (
  events: EventStore,
  places: readonly Place[],
  shown: Shown,
): Promise<ReadonlyMap<string, EventData>> => {
  const found = new Map<string, EventData>();
  for (const [stream, asked] of byStream(places)) {
    const folded = FOLDINGS[categoryOf(stream)]?.();
    if (!folded) throw new Error(`no public event is made of ${stream}`);
    const last = Math.max(...asked.map(({ revision }) => revision));
    for await (const stored of events.readStream(stream)) {
      folded.add(stored);
      for (const place of asked)
        if (place.revision === stored.revision) found.set(place.key, folded.data(place, shown));
      if (stored.revision >= last) break;
    }
  }
  return found;
};

const byStream = (places: readonly Place[]): ReadonlyMap<string, readonly Place[]> => {
  const grouped = new Map<string, Place[]>();
  for (const place of places) grouped.set(place.stream, [...(grouped.get(place.stream) ?? []), place]);
  return grouped;
};
