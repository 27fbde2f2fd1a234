import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import { FlightDocuments } from './flight-documents.js';
import type { FlightDocument } from './flights.projection.js';
import type { FlightSearch } from './matching-flights.js';

/** The flights that a search means, by departure time and then number. */
export class SearchFlights extends Query<ListPage<FlightDocument>> {
  constructor(
    readonly search: FlightSearch,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(SearchFlights)
export class SearchFlightsHandler implements IQueryHandler<SearchFlights> {
  constructor(private readonly flights: FlightDocuments) {}

  execute({ search, page }: SearchFlights): Promise<ListPage<FlightDocument>> {
    return this.flights.find(search, page);
  }
}
