import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import type { Airport } from './places.js';

/** The airports of the flights on sale, by city and then code. */
export class ListAirports extends Query<readonly Airport[]> {}

@QueryHandler(ListAirports)
export class ListAirportsHandler implements IQueryHandler<ListAirports> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute(): Promise<readonly Airport[]> {
    return (await this.flights.now()).airports;
  }
}
