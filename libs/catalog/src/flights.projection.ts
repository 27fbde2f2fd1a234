import type { Projection } from '#read-models';
import { type Flight, flights } from './flight.decider.js';

/** A flight as the public reads find it. Its id is the flight number in normal form. */
export interface FlightDocument extends Omit<Flight, 'seats'> {
  readonly seatsLeft: number;
  /** What `q` is compared with: `city:<word>` for each word of the city, `code:<iata>;`, `number:<flight number>`. */
  readonly searchTerms: readonly string[];
}

/** `text` in lower case and without accents. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The words of `text`, plain: runs of letters and digits. */
export const wordsOf = (text: string): readonly string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const searchTermsOf = ({ flightNumber, from, to, toCity }: Flight): readonly string[] => [
  ...wordsOf(toCity).map((word) => `city:${word}`),
  ...[from, to].map((code) => `code:${plain(code)};`),
  `number:${flightNumber}`,
];

/** The flights on sale, with today's fares and the seats left. */
export const flightsProjection: Projection<FlightDocument, readonly [typeof flights]> = {
  name: 'flights',
  version: 1,
  from: [flights],
  indexes: [
    { fields: ['slug'] },
    { fields: ['departureTime'] },
    { fields: ['from', 'departureTime'] },
    { fields: ['to', 'departureTime'] },
    { fields: ['searchTerms'], multiValued: true },
  ],
  documentsOf: ({ id }) => [id],
  evolve: (document, event) => {
    if (event.type === 'FlightScheduled') {
      const { seats, ...flight } = event.data;
      return { ...flight, seatsLeft: seats, searchTerms: searchTermsOf(event.data) };
    }
    if (!document) return document;
    switch (event.type) {
      case 'FaresRepriced':
        return { ...document, fares: event.data.fares };
      case 'SeatsHeld':
        return { ...document, seatsLeft: document.seatsLeft - event.data.seats };
      case 'SeatsReleased':
        return { ...document, seatsLeft: document.seatsLeft + event.data.seats };
      default:
        return document;
    }
  },
};
