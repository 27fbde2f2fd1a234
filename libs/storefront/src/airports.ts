import { Injectable } from '@nestjs/common';
import { type Airport, FlightDocuments } from '#catalog';

export interface Airports {
  readonly all: readonly Airport[];
  readonly named: (code: string) => NamedAirport;
}

/** An airport as pages name it; of one that no flight knows, the code is all there is. */
export type NamedAirport = Pick<Airport, 'code' | 'city' | 'name'>;

@Injectable()
export class KnownAirports {
  constructor(private readonly flights: FlightDocuments) {}

  async all(): Promise<Airports> {
    const all = await this.flights.airports();
    const byCode = new Map(all.map((airport) => [airport.code, airport]));
    return { all, named: (code) => byCode.get(code) ?? { code, city: code, name: null } };
  }
}

/** `São Paulo (GRU)`. */
export const airportText = ({ city, code }: NamedAirport): string => (city === code ? code : `${city} (${code})`);

/** `São Paulo, Guarulhos (GRU)`: what the search understands, too. */
export const wholeAirportText = ({ city, name, code }: NamedAirport): string =>
  name === null ? airportText({ city, name, code }) : `${city}, ${name} (${code})`;
