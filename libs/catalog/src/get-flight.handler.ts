import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import { flightView } from './flight.view.js';
import { GetFlight } from './get-flight.query.js';

@QueryHandler(GetFlight)
export class GetFlightHandler implements IQueryHandler<GetFlight> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute({ flightNumber, siteUrl }: GetFlight) {
    return flightView(await this.flights.get(flightNumber), siteUrl);
  }
}
