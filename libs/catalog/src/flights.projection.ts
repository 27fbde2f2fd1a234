import type { Projection, RecordedEvent } from '#read-models';
import { type Flight, flights, type ScheduledFlight, seatsLeft } from './flight.decider.js';
import { type SaleDays, saleDays, type Timetable, timetableDecider, timetables } from './timetable.decider.js';

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

const searchTermsOf = ({ flightNumber, from, to, toCity }: Searched): readonly string[] => [
  ...wordsOf(toCity).map((word) => `city:${word}`),
  ...[from, to].map((code) => `code:${plain(code)};`),
  `number:${flightNumber}`,
];

type Searched = Pick<Flight, 'flightNumber' | 'from' | 'to' | 'toCity'>;

/** A timetable; its departures have no document until somebody touches them. Its id is `timetable:` and the number. */
export interface TimetableDocument extends Pick<FlightDocument, 'searchTerms' | 'position'> {
  readonly flightNumber: string;
  readonly timetable: readonly Timetable[];
}

export interface SaleDaysDocument extends SaleDays {
  readonly position: RecordedEvent['position'];
}

export type CatalogDocument = FlightDocument | TimetableDocument | SaleDaysDocument;

const DAYS = 'days-on-sale';

const isFlight = (document: CatalogDocument | null): document is FlightDocument =>
  document !== null && 'seatsLeft' in document;

/** What is on sale: flights with today's fares and the seats left, timetables, and the days that are open. */
export const flightsProjection: Projection<
  CatalogDocument,
  readonly [typeof flights, typeof timetables, typeof saleDays]
> = {
  name: 'flights',
  version: 7,
  from: [flights, timetables, saleDays],
  // What flights are searched by is indexed in memory (docs/adr/0093).
  indexes: [{ fields: ['position'] }],
  documentsOf: ({ type, id }) => {
    if (type === 'DaysOpened') return [DAYS];
    return [type === 'TimetableScheduled' ? `timetable:${id}` : id];
  },
  evolve: (document, event) => {
    const { position } = event;
    switch (event.type) {
      case 'FlightScheduled': {
        const { seats, ...flight } = event.data;
        return { ...flight, seatsLeft: seats, searchTerms: searchTermsOf(event.data), position };
      }
      case 'TimetableScheduled': {
        const { flightNumber } = event.data;
        const known = document && 'timetable' in document ? document.timetable : null;
        const state = timetableDecider.evolve(known ? { status: 'scheduled', terms: known } : UNSCHEDULED, event);
        const timetable = state.status === 'scheduled' ? state.terms : [];
        return { flightNumber, timetable, searchTerms: searchTermsOf(event.data), position };
      }
      case 'DaysOpened': {
        const { first, last } = event.data;
        return { first: document && 'first' in document ? document.first : first, last, position };
      }
      case 'FaresRepriced':
        return isFlight(document) ? { ...document, fares: event.data.fares, position } : document;
      case 'FlightCancelled':
        return isFlight(document) ? { ...document, cancelledAt: event.data.cancelledAt, position } : document;
      case 'SeatsHeld':
        return isFlight(document)
          ? { ...document, seatsLeft: document.seatsLeft - event.data.seats, position }
          : document;
      case 'SeatsReleased':
        return isFlight(document)
          ? { ...document, seatsLeft: document.seatsLeft + event.data.seats, position }
          : document;
    }
  },
};

const UNSCHEDULED = { status: 'unscheduled' } as const;
