import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import type { FoundFlights } from './known-flights.js';
import type { FlightDocument } from './flights.projection.js';
import type { FlightSearch } from './matching-flights.js';

/** The flights that a search means, in its order; where there are none, what to search for instead. */
export class SearchFlights extends Query<FoundFlights<FlightDocument>> {
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

  execute({ search, page }: SearchFlights): Promise<FoundFlights<FlightDocument>> {
    return this.flights.find(search, page);
  }
}
