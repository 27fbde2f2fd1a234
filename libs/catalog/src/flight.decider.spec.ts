import type { Fare, FlightEvent } from '#events';
import { fold, type Instant, plus } from '#kernel';
import { NOW, scenarios } from '#testing';
import {
  fareOf,
  type FlightCommand,
  flightDecider,
  flights,
  normalFlightNumber,
  type ScheduledFlight,
  seatsLeft,
  soldFare,
} from './flight.decider.js';
import { sampleFare, sampleFlight } from './testing/index.js';

const given = scenarios(flightDecider);
const LATER = plus(NOW, 60_000);
const AFTER = plus(NOW, 60_001);

const scheduled = (changes = {}): FlightEvent => ({ type: 'FlightScheduled', data: sampleFlight(changes) });
const held = (orderId: string, seats: number, heldAt: Instant = NOW): FlightEvent => ({
  type: 'SeatsHeld',
  data: { orderId, seats, holdBefore: LATER, heldAt },
});
const released = (orderId: string, seats: number, releasedAt: Instant = NOW): FlightEvent => ({
  type: 'SeatsReleased',
  data: { orderId, seats, holdBefore: LATER, releasedAt },
});
const hold = (orderId: string, seats: number, fare = sampleFare()): FlightCommand => ({
  type: 'HoldSeats',
  orderId,
  seats,
  sold: soldFare(fare),
  departureTime: sampleFlight().departureTime,
  holdBefore: LATER,
});
const release = (orderId: string): FlightCommand => ({ type: 'ReleaseSeats', orderId, holdBefore: LATER });

describe('putting a flight on sale', () => {
  it.each(['AL4012', 'al4012', ' AL 4012 ', 'Al-4012', 'al – 40-12'])('reads %j as AL4012', (text) =>
    expect(normalFlightNumber(text)).toBe('AL4012'),
  );

  it('has its own stream, by its number, and fares by their codes', () => {
    expect(flights.streamOf('AL4012')).toBe('flight-AL4012');
    const fares = [sampleFare({ code: 'LEVE' }), sampleFare({ code: 'CLASSICA' })];
    expect(['CLASSICA', 'leve'].map((code) => fareOf({ fares }, code)?.code)).toEqual(['CLASSICA', undefined]);
  });
  it('schedules a flight nobody knew', () =>
    given().when({ type: 'ScheduleFlight', flight: sampleFlight() }).then(scheduled()));
  it('changes nothing when the same is scheduled again, whatever its fares', () =>
    given(scheduled())
      .when({ type: 'ScheduleFlight', flight: sampleFlight({ fares: [sampleFare({ price: 1 })] }) })
      .then());
  it('refuses to change a term of a flight on sale and names it', () =>
    given(scheduled())
      .when({ type: 'ScheduleFlight', flight: sampleFlight({ departureTime: '15:40' }) })
      .refuses('invalid_flight', { field: 'departureTime' }));
  it('reprices the fares', () => {
    const fares = [sampleFare({ price: 1 })];
    given(scheduled()).when({ type: 'RepriceFares', fares }).then({ type: 'FaresRepriced', data: { fares } });
  });
  it('reprices nothing when the fares are those of today', () =>
    given(scheduled({ fares: [] }), { type: 'FaresRepriced', data: { fares: [sampleFare()] } })
      .when({ type: 'RepriceFares', fares: [sampleFare()] })
      .then());
  it.each([{ type: 'RepriceFares', fares: [] }, hold('a', 1), release('a')] satisfies FlightCommand[])(
    'refuses $type for a flight nobody knows',
    (command) => given().when(command).refuses('invalid_flight'),
  );
});

describe('holding seats', () => {
  it('holds seats for an order', () => given(scheduled()).when(hold('a', 2)).then(held('a', 2)));
  it('holds once for one order', () => given(scheduled(), held('a', 2)).when(hold('a', 2)).then());
  it('holds the last seats', () => given(scheduled(), held('a', 9)).when(hold('b', 1)).then(held('b', 1)));
  it('refuses more seats than are left', () =>
    given(scheduled(), held('a', 9)).when(hold('b', 2)).refuses('seats_unavailable'));
  it.each<Partial<Fare>>([
    { code: 'X' },
    { name: 'X' },
    { arrivalTime: '18:46' },
    { arrivalDayOffset: 1 },
    { baggage: 'none' },
  ])('refuses a fare that is not on sale as it was sold: %j', (change) =>
    given(scheduled())
      .when(hold('a', 1, sampleFare(change)))
      .refuses('invalid_fare'),
  );
  it('refuses a time at which the flight does not leave any more', () =>
    given(scheduled({ departureTime: '15:40' }))
      .when(hold('a', 1))
      .refuses('invalid_fare'));
  it('refuses what is of a cancelled flight, and gives back what was held before', () => {
    const cancelled: FlightEvent = { type: 'FlightCancelled', data: { reason: 'neve', cancelledAt: NOW } };
    const cancel: FlightCommand = { type: 'CancelFlight', reason: 'neve' };
    given(scheduled()).when(cancel).then(cancelled);
    given(scheduled(), cancelled).when(cancel).then();
    given()
      .when({ ...cancel, departure: sampleFlight() })
      .then(scheduled(), cancelled);
    given(scheduled(), cancelled).when(hold('a', 1)).refuses('flight_cancelled');
    given(scheduled(), held('a', 1), cancelled).when(release('a')).then(released('a', 1));
  });
  it('holds at whatever price the booking has', () =>
    given(scheduled())
      .when(hold('a', 1, sampleFare({ price: 1 })))
      .then(held('a', 1)));
  it('sells seats again that were released', () =>
    given(scheduled(), held('a', 10), released('a', 10)).when(hold('b', 10)).then(held('b', 10)));
  it('holds at the last moment of the checkout', () =>
    given(scheduled())
      .when(hold('a', 1), LATER)
      .then(held('a', 1, LATER)));
  it('refuses to hold after that moment', () =>
    given(scheduled()).when(hold('a', 1), AFTER).refuses('service_unavailable'));
  it('refuses an order whose seats were released', () =>
    given(scheduled(), held('a', 1), released('a', 1)).when(hold('a', 1)).refuses('service_unavailable'));
  it('refuses an order that was settled before it held anything', () =>
    given(scheduled(), released('a', 0)).when(hold('a', 1)).refuses('service_unavailable'));
});

describe('releasing seats', () => {
  it('releases what the order holds', () => given(scheduled(), held('a', 3)).when(release('a')).then(released('a', 3)));
  it('releases long after the checkout', () =>
    given(scheduled(), held('a', 3))
      .when(release('a'), AFTER)
      .then(released('a', 3, AFTER)));
  it('records a fence where nothing was held', () => given(scheduled()).when(release('a')).then(released('a', 0)));
  it('records it also past the checkout, since the clock of a late holder may be behind', () =>
    given(scheduled())
      .when(release('a'), AFTER)
      .then(released('a', 0, AFTER)));
  it('releases once', () => given(scheduled(), held('a', 3), released('a', 3)).when(release('a')).then());
  it('fences once', () => given(scheduled(), released('a', 0)).when(release('a')).then());
  it('adds nothing once the stream itself is past the checkout', () =>
    given(scheduled(), released('a', 0, AFTER))
      .when(release('a'), AFTER)
      .then());
  it('records it for as long as the order might still hold, to the last moment', () =>
    given(scheduled(), released('b', 0, LATER))
      .when(release('a'), LATER)
      .then(released('a', 0, LATER)));
  it('keeps a fence for as long', () =>
    given(scheduled(), released('a', 0), held('b', 1, LATER))
      .when(hold('a', 1), LATER)
      .refuses('service_unavailable'));
  it('is nothing to a flight that nobody knows', () =>
    expect(fold(flightDecider, [held('a', 1), released('a', 1)])).toEqual({ status: 'unscheduled' }));
  it('keeps no fence past its checkout', () => {
    const state = fold(flightDecider, [scheduled(), released('a', 0), held('b', 1, AFTER)]) as ScheduledFlight;
    expect(state.fences.length).toBe(0);
    expect(seatsLeft(state)).toBe(9);
  });
});
