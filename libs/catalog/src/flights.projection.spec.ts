import type { FlightEvent } from '#events';
import { positionOf } from '#event-store';
import { SYSTEM } from '#kernel';
import { NOW } from '#testing';
import { type FlightDocument, flightsProjection } from './flights.projection.js';
import { sampleFare, sampleFlight } from './testing/index.js';

const projected = (...events: readonly FlightEvent[]): FlightDocument | null =>
  events.reduce<FlightDocument | null>((document, event, revision) => {
    const place = { stream: 'flight-AL4012', id: 'AL4012', revision, position: positionOf(revision + 1) };
    const after = flightsProjection.evolve(document, { ...event, ...place, occurredAt: NOW, actor: SYSTEM }, 'AL4012');
    return after && 'seatsLeft' in after ? after : null;
  }, null);

const scheduled: FlightEvent = { type: 'FlightScheduled', data: sampleFlight({ toCity: 'São Luís' }) };
const held: FlightEvent = { type: 'SeatsHeld', data: { orderId: 'a', seats: 3, holdBefore: NOW, heldAt: NOW } };
const released: FlightEvent = {
  type: 'SeatsReleased',
  data: { orderId: 'a', seats: 3, holdBefore: NOW, releasedAt: NOW },
};

describe('the read model of flights', () => {
  it('has a document a flight', () =>
    expect(
      flightsProjection.documentsOf({
        ...held,
        stream: 'flight-AL4012',
        id: 'AL4012',
        revision: 1,
        position: positionOf(2),
        occurredAt: NOW,
        actor: SYSTEM,
      }),
    ).toEqual(['AL4012']));

  it('shows a new flight with all its seats and what it is found by', () =>
    expect(projected(scheduled)).toMatchObject({
      flightNumber: 'AL4012',
      seatsLeft: 10,
      searchTerms: ['city:sao', 'city:luis', 'code:gru;', 'code:rec;', 'number:AL4012'],
    }));

  it('counts the seats left to sell', () => {
    expect(projected(scheduled, held)?.seatsLeft).toBe(7);
    expect(projected(scheduled, held, released)?.seatsLeft).toBe(10);
    expect(projected(scheduled, held, { ...released, data: { ...released.data, seats: 0 } })?.seatsLeft).toBe(7);
  });

  it("shows today's fares", () => {
    const fares = [sampleFare({ price: 1 })];
    expect(projected(scheduled, { type: 'FaresRepriced', data: { fares } })?.fares).toEqual(fares);
  });
});
