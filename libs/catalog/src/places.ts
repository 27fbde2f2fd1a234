import { airportOf } from './airports.js';
import type { Flight } from './flight.decider.js';
import { plain, wordsOf } from './flights.projection.js';

export interface Airport {
  readonly code: string;
  /** Its city; its code where nobody knows the city. */
  readonly city: string;
  /** What people call it, or null where that is its city. */
  readonly name: string | null;
  readonly isOrigin: boolean;
  readonly isDestination: boolean;
}

interface Place extends Airport {
  readonly cityWords: readonly string[];
  readonly nameWords: readonly string[];
}

/** What a search says around what it means: "voo 4011", "aeroporto de Congonhas". */
const AROUND = new Set(['aeroporto', 'voo', 'voos', 'de', 'do', 'da', 'dos', 'das', 'para', 'a', 'o', 'em', 'ate']);

export const meaningOf = (text: string): readonly string[] => wordsOf(text).filter((word) => !AROUND.has(word));

/** The airports of the flights on sale by what people call them, and how flight numbers begin. Nothing of it changes of a flight on sale. */
export class Places {
  /** By city and then code. */
  readonly airports: readonly Airport[];
  /** The airlines' designators: what stands before the digits of a flight number. */
  readonly designators: readonly string[];
  private readonly places: ReadonlyMap<string, Place>;

  constructor(flights: Iterable<Pick<Flight, 'flightNumber' | 'from' | 'fromCity' | 'to' | 'toCity'>>) {
    const [origins, destinations] = [new Map<string, string | null>(), new Map<string, string>()];
    const designators = new Set<string>();
    for (const { flightNumber, from, fromCity, to, toCity } of flights) {
      if (!origins.get(from)) origins.set(from, fromCity);
      destinations.set(to, toCity);
      designators.add(designatorOf(flightNumber));
    }
    const codes = new Set([...origins.keys(), ...destinations.keys()]);
    const places = [...codes].map((code): Place => {
      const known = airportOf(code);
      const city = destinations.get(code) ?? origins.get(code) ?? known?.city ?? code;
      const name = known?.name ?? null;
      const nameWords = wordsOf(`${name ?? ''} ${known?.also ?? ''}`);
      const [isOrigin, isDestination] = [origins.has(code), destinations.has(code)];
      return { code, city, name, isOrigin, isDestination, cityWords: wordsOf(city), nameWords };
    });
    this.airports = places.sort(
      (one, other) => COLLATOR.compare(one.city, other.city) || (one.code < other.code ? -1 : 1),
    );
    this.places = new Map(places.map((place) => [place.code, place]));
    this.designators = [...designators].sort();
  }

  /** The codes a text means: an airport's; else of a city whose words it begins; else of airports that all its words belong to. */
  meant(text: string): readonly string[] {
    const code = text.trim().toUpperCase();
    if (this.places.has(code)) return [code];
    const words = meaningOf(text);
    if (words.length === 0 || words.length > MOST_WORDS) return [];
    const inCity = this.where(({ cityWords }) => words.every((word) => begins(word, cityWords)));
    if (inCity.length > 0) return inCity;
    return this.where((place) =>
      words.every(
        (word) => begins(word, place.cityWords) || names(word, place.nameWords) || word === plain(place.code),
      ),
    );
  }

  /** The codes of the airports with a name of which this begins a word. */
  named(word: string): readonly string[] {
    return this.where(({ nameWords }) => names(word, nameWords));
  }

  /** What these airports are called together: their city, where they are all of it; else the code, where it is one. */
  textOf(codes: readonly string[]): string | null {
    const [first] = codes;
    const city = first === undefined ? undefined : this.places.get(first)?.city;
    if (city !== undefined && String(this.meant(city)) === String(codes)) return city;
    return codes.length === 1 ? (first ?? null) : null;
  }

  private where(isMeant: (place: Place) => boolean): readonly string[] {
    return [...this.places.values()].filter(isMeant).map(({ code }) => code);
  }
}

/** No city and airport have more words together. */
const MOST_WORDS = 12;

const COLLATOR = new Intl.Collator('pt-BR');

const begins = (beginning: string, words: readonly string[]): boolean =>
  words.some((word) => word.startsWith(beginning));

/** Two letters begin too many names: they have to be one, such as BH. */
const names = (word: string, words: readonly string[]): boolean =>
  word.length < 3 ? words.includes(word) : begins(word, words);

/** `AL` of `AL4012`; a designator is two letters or digits, and may have one letter more (docs/decisions.md, Flights). */
const designatorOf = (flightNumber: string): string => /^..[A-Z]?/.exec(flightNumber)?.[0] ?? '';
