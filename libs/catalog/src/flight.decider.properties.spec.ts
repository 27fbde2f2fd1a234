import type { FlightEvent } from '#events';
import { positionOf } from '#event-store';
import { DomainError, fold, type Instant, plus, SYSTEM } from '#kernel';
import { foldedThroughSnapshot, NOW } from '#testing';
import fc from 'fast-check';
import { type FlightCommand, flightDecider, flights, type FlightState, seatsLeft, soldFare } from './flight.decider.js';
import { type FlightDocument, flightsProjection, shownFlight } from './flights.projection.js';
import { sampleFare, sampleFlight } from './testing/index.js';

const SEATS = 12;
const START: FlightEvent = { type: 'FlightScheduled', data: sampleFlight({ seats: SEATS }) };

/** One order's checkout opens at second 0 or 30 and may hold for 60 s, as every other with its number. */
const holdBefore = (order: number): Instant => plus(NOW, (order % 2) * 30_000 + 60_000);

/** A command of one of eight orders, some seconds after the one before it. */
const step = fc.record({
  order: fc.integer({ min: 0, max: 7 }),
  seats: fc.integer({ min: 1, max: 9 }),
  releases: fc.boolean(),
  seconds: fc.integer({ min: 0, max: 25 }),
});
const steps = fc.array(step, { maxLength: 60 });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const commandOf = ({ order, seats, releases }: Step): FlightCommand => {
  const orderId = `order ${order}`;
  const { departureTime } = sampleFlight();
  return releases
    ? { type: 'ReleaseSeats', orderId, holdBefore: holdBefore(order) }
    : { type: 'HoldSeats', orderId, seats, sold: soldFare(sampleFare()), departureTime, holdBefore: holdBefore(order) };
};

const run = (taken: readonly Step[]) => {
  const events: FlightEvent[] = [START];
  const states: FlightState[] = [fold(flightDecider, events)];
  let [state] = states as [FlightState];
  let now = NOW;
  for (const one of taken) {
    now = plus(now, one.seconds * 1000);
    for (const event of accepted({ ...commandOf(one), now }, state)) {
      state = flightDecider.evolve(state, event);
      events.push(event);
      states.push(state);
    }
  }
  return { events, states, now };
};

const accepted = (...[command, state]: Parameters<typeof flightDecider.decide>): readonly FlightEvent[] => {
  try {
    return flightDecider.decide(command, state);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return [];
  }
};

const documentOf = (events: readonly FlightEvent[]): FlightDocument | null =>
  events.reduce<FlightDocument | null>((document, event, revision) => {
    const place = { stream: 'flight-AL4012', id: 'AL4012', revision, position: positionOf(revision + 1) };
    const after = flightsProjection.evolve(document, { ...event, ...place, occurredAt: NOW, actor: SYSTEM }, 'AL4012');
    return after && 'seatsLeft' in after ? after : null;
  }, null);

const leftIn = (state: FlightState): number => (state.status === 'scheduled' ? seatsLeft(state) : NaN);

describe('whatever is held and released, in whatever order', () => {
  it('never sells a seat twice, nor invents one', () =>
    fc.assert(
      fc.property(steps, (taken) => {
        for (const state of run(taken).states) {
          expect(leftIn(state)).toBeGreaterThanOrEqual(0);
          expect(leftIn(state)).toBeLessThanOrEqual(SEATS);
        }
      }),
    ));

  it('replays any prefix of the stream to the same state', () =>
    fc.assert(
      fc.property(steps, (taken) => {
        const { events, states } = run(taken);
        states.forEach((state, place) => expect(fold(flightDecider, events.slice(0, place + 1))).toEqual(state));
      }),
    ));

  it('shows of the stream what the document of the read model shows (docs/adr/0092)', () =>
    fc.assert(
      fc.property(steps, (taken) => {
        const { events } = run(taken);
        const fares = [sampleFare({ price: events.length })];
        const all: readonly FlightEvent[] = [...events, { type: 'FaresRepriced', data: { fares } }];
        const state = fold(flightDecider, all);
        const document = documentOf(all);
        expect(document).toMatchObject(state.status === 'scheduled' ? shownFlight(state) : {});
        expect(document?.fares).toEqual(fares);
      }),
    ));

  it('goes on from a snapshot of any prefix to the same state (rule 15)', () =>
    fc.assert(
      fc.property(steps, (taken) => {
        const { events, states } = run(taken);
        for (const at of events.keys()) expect(foldedThroughSnapshot(flights, events, at)).toStrictEqual(states.at(-1));
      }),
    ));

  it('writes a snapshot whose version grows with every change of what is in it', () => {
    const order = { orderId: 'order 1', holdBefore: plus(NOW, 60_000) };
    const state = fold(flightDecider, [
      START,
      { type: 'SeatsHeld', data: { ...order, seats: 2, heldAt: NOW } },
      { type: 'SeatsReleased', data: { ...order, orderId: 'order 2', seats: 0, releasedAt: NOW } },
      { type: 'FaresRepriced', data: { fares: [] } },
      { type: 'FlightCancelled', data: { reason: 'neve', cancelledAt: NOW } },
    ]);
    expect([flights.snapshotVersion, state]).toEqual([
      5,
      {
        status: 'scheduled',
        flight: { ...START.data, fares: [], cancelledAt: NOW },
        held: [{ orderId: 'order 1', seats: 2 }],
        fences: [{ orderId: 'order 2', holdBefore: order.holdBefore }],
        latestAt: NOW,
      },
    ]);
  });

  it('never holds for an order that was released, and never releases one twice in a row', () =>
    fc.assert(
      fc.property(steps, (taken) => {
        const over = new Set<string>();
        for (const { type, data } of run(taken).events) {
          if (type !== 'SeatsHeld' && type !== 'SeatsReleased') continue;
          expect(over.has(data.orderId)).toBe(false);
          if (type === 'SeatsReleased') over.add(data.orderId);
        }
      }),
    ));

  it('has all seats back once every order was released', () =>
    fc.assert(
      fc.property(steps, (taken) => {
        const { states, now } = run(taken);
        let state = states.at(-1) ?? flightDecider.initialState();
        for (let order = 0; order < 8; order += 1) {
          const command = {
            type: 'ReleaseSeats' as const,
            orderId: `order ${order}`,
            holdBefore: holdBefore(order),
            now,
          };
          for (const event of flightDecider.decide(command, state)) state = flightDecider.evolve(state, event);
        }
        expect(leftIn(state)).toBe(SEATS);
      }),
    ));
});
