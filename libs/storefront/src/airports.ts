import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { SearchFlights } from '#catalog';

/** An airport that flights on sale leave from or go to. */
export interface Airport {
  /** IATA code. */
  readonly code: string;
  /** Its city, or its code where no flight on sale goes there and so names it. */
  readonly city: string;
}

/** Where one can fly from and to. */
export interface Airports {
  readonly origins: readonly Airport[];
  readonly destinations: readonly Airport[];
  readonly named: (code: string) => Airport;
}

/** More than a catalogue holds (docs/decisions.md, Flights); of a larger one, the airports of the first flights. */
const FLIGHTS = 500;

const COLLATOR = new Intl.Collator('pt-BR');

/** The airports of the flights on sale: a flight names the city it goes to, and so names it for those that leave there. */
@Injectable()
export class KnownAirports {
  constructor(private readonly queries: QueryBus) {}

  async all(): Promise<Airports> {
    const page = { limit: FLIGHTS, cursor: undefined };
    const { items } = await this.queries.execute(new SearchFlights({}, page));
    const cities = new Map(items.map(({ to, toCity }) => [to, toCity]));
    const named = (code: string): Airport => ({ code, city: cities.get(code) ?? code });
    const listed = (codes: readonly string[]): readonly Airport[] =>
      [...new Set(codes)]
        .map(named)
        .sort((one, other) => COLLATOR.compare(one.city, other.city) || COLLATOR.compare(one.code, other.code));
    return { origins: listed(items.map(({ from }) => from)), destinations: listed(items.map(({ to }) => to)), named };
  }
}

/** `São Paulo (GRU)`. */
export const airportText = ({ city, code }: Airport): string => (city === code ? code : `${city} (${code})`);
