import type { Fare } from '#events';
import type { Flight } from '../flight.decider.js';

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
