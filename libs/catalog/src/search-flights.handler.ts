import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import { flightView } from './flight.view.js';
import { SearchFlights } from './search-flights.query.js';

@QueryHandler(SearchFlights)
export class SearchFlightsHandler implements IQueryHandler<SearchFlights> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute({ search, page, siteUrl }: SearchFlights) {
    const { items, ...rest } = await this.flights.find(search, page);
    return { ...rest, items: items.map((flight) => flightView(flight, siteUrl)) };
  }
}
