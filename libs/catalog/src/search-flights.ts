import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import { FlightDocuments } from './flight-documents.js';
import { type FlightView, flightView } from './flight.view.js';
import type { FlightSearch } from './matching-flights.js';

/** The flights that a search means, by departure time and then number. */
export class SearchFlights extends Query<ListPage<FlightView>> {
  constructor(
    readonly search: FlightSearch,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    /** `{site_url}`, for the links to the flights' pages. */
    readonly siteUrl: string,
  ) {
    super();
  }
}

@QueryHandler(SearchFlights)
export class SearchFlightsHandler implements IQueryHandler<SearchFlights> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute({ search, page, siteUrl }: SearchFlights) {
    const { items, ...rest } = await this.flights.find(search, page);
    return { ...rest, items: items.map((flight) => flightView(flight, siteUrl)) };
  }
}
