import type { Projection, RecordedEvent } from '#read-models';
import { type Flight, flights, type ScheduledFlight, seatsLeft } from './flight.decider.js';

/** A flight as the public reads show it: its terms, today's fares and the seats left. */
export interface ShownFlight extends Omit<Flight, 'seats'> {
  readonly seatsLeft: number;
}

/** A flight as its own stream has it, which is what its document shows once that has come as far. */
export const shownFlight = (state: ScheduledFlight): ShownFlight => {
  const { seats: _, ...flight } = state.flight;
  return { ...flight, seatsLeft: seatsLeft(state) };
};

/** A flight as a search finds it. Its id is the flight's. */
export interface FlightDocument extends ShownFlight {
  /** What `q` is compared with: `city:<word>` for each word of the city, `code:<iata>;`, `number:<flight number>`. */
  readonly searchTerms: readonly string[];
  /** Where the last event in it stands in the log: who knows the flights up to a place asks for those changed since. */
  readonly position: RecordedEvent['position'];
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
  version: 5,
  from: [flights],
  // What flights are searched by is indexed in memory (docs/adr/0093).
  indexes: [{ fields: ['slug'] }, { fields: ['position'] }],
  documentsOf: ({ id }) => [id],
  evolve: (document, event) => {
    const { position } = event;
    if (event.type === 'FlightScheduled') {
      const { seats, ...flight } = event.data;
      return { ...flight, seatsLeft: seats, searchTerms: searchTermsOf(event.data), position };
    }
    if (!document) return document;
    switch (event.type) {
      case 'FaresRepriced':
        return { ...document, fares: event.data.fares, position };
      case 'SeatsHeld':
        return { ...document, seatsLeft: document.seatsLeft - event.data.seats, position };
      case 'SeatsReleased':
        return { ...document, seatsLeft: document.seatsLeft + event.data.seats, position };
    }
  },
};
