import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import type { ShownFlight } from './flights.projection.js';

/**
 * One flight, by its number in any notation.
 *
 * @throws DomainError `flight_not_found`
 */
export class GetFlight extends Query<ShownFlight> {
  constructor(readonly flightNumber: string) {
    super();
  }
}

@QueryHandler(GetFlight)
export class GetFlightHandler implements IQueryHandler<GetFlight> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute({ flightNumber }: GetFlight): Promise<ShownFlight> {
    return await this.flights.get(flightNumber);
  }
}
