import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import { type FlightView, flightView } from './flight.view.js';

/** One flight, by its number in any notation. */
export class GetFlight extends Query<FlightView> {
  constructor(
    readonly flightNumber: string,
    /** `{site_url}`, for the link to the flight's page. */
    readonly siteUrl: string,
  ) {
    super();
  }
}

@QueryHandler(GetFlight)
export class GetFlightHandler implements IQueryHandler<GetFlight> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute({ flightNumber, siteUrl }: GetFlight) {
    return flightView(await this.flights.get(flightNumber), siteUrl);
  }
}
