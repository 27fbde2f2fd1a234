import { catalogEntry } from '../support/catalog.js';

const FLIGHTS = 100;
const SEATS = 300;

export const tripOf = (order: number) => ({ flightNumber: numberOf(order % FLIGHTS), fareCode: 'LEVE' });

const numberOf = (place: number): string => `AL${1_000 + place}`;

/** As many flights as a catalogue may have, with 30,000 seats. */
export const flights = (): readonly object[] =>
  Array.from({ length: FLIGHTS }, (_, place) =>
    catalogEntry({ flightNumber: numberOf(place), slug: `voo-${place}`, seats: SEATS }),
  );
