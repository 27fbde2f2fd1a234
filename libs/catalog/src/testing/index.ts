import type { Aggregates } from '#event-store';
import type { Fare } from '#events';
import { plus, systemContext } from '#kernel';
import { NOW } from '#testing';
import { type CatalogEntry, isTimetable, type TimetableEntry } from '../catalog-file.js';
import { flightAsItIs } from '../departures.js';
import { type Flight, flights, soldFare } from '../flight.decider.js';

/** A fare for tests: there the same day, with a checked bag. */
export const sampleFare = (changes: Partial<Fare> = {}): Fare => ({
  code: 'CLASSICA',
  name: 'Clássica',
  price: 579_90,
  arrivalTime: '18:45',
  arrivalDayOffset: 0,
  baggage: 'checked',
  ...changes,
});

/** A flight for tests: from São Paulo to Recife, on no certain day, with ten seats. */
export const sampleFlight = (changes: Partial<Flight> = {}): Flight => ({
  flightNumber: 'AL4012',
  slug: 'sao-paulo-gru-recife-rec-al4012',
  from: 'GRU',
  fromCity: 'São Paulo',
  to: 'REC',
  toCity: 'Recife',
  departureTime: '15:30',
  departureDate: null,
  timeZone: null,
  durationMin: 195,
  seats: 10,
  currency: 'BRL',
  fares: [sampleFare({ code: 'LEVE', name: 'Leve', price: 459_90, baggage: 'none' }), sampleFare()],
  ...changes,
});

export const withoutDate = (entry: CatalogEntry): Flight => {
  if (!isTimetable(entry)) return entry;
  const { days: _, replacesUndated: __, ...terms } = entry;
  return { ...terms, departureDate: null, timeZone: null };
};

/** A timetable for tests: as the flight, every day, by the clocks of São Paulo. */
export const sampleTimetable = (changes: Partial<TimetableEntry> = {}): TimetableEntry => {
  const { departureDate: _, flightId: __, ...terms } = sampleFlight();
  return { ...terms, timeZone: 'America/Sao_Paulo', days: '1234567', replacesUndated: false, ...changes };
};

/** Gives a flight, or a departure that nobody may have touched, other fares, or cancels it. */
export const changeFlight = async (
  aggregates: Aggregates,
  flightId: string,
  change: { readonly type: 'RepriceFares'; readonly fares: readonly Fare[] } | { readonly type: 'CancelFlight' },
): Promise<void> => {
  const state = await flightAsItIs(aggregates, flightId);
  const departure = state.status === 'scheduled' ? state.flight : undefined;
  const command = change.type === 'CancelFlight' ? { ...change, reason: 'neve', departure } : { ...change, departure };
  await aggregates.handle(flights, flightId, command, systemContext('a test'));
};

/** Holds seats of a flight, at the first of its fares, for an order of now. */
export const holdSeats = async (aggregates: Aggregates, flightNumber: string, orderId: string, seats: number) => {
  const state = await flightAsItIs(aggregates, flightNumber);
  const departure = state.status === 'scheduled' ? state.flight : undefined;
  const [fare = sampleFare()] = departure?.fares ?? [];
  const holdBefore = plus(NOW, 60_000);
  const sold = { sold: soldFare(fare), departureTime: departure?.departureTime ?? '' };
  const command = { type: 'HoldSeats', orderId, seats, ...sold, holdBefore, departure } as const;
  await aggregates.handle(flights, flightNumber, command, systemContext('a test'));
};
