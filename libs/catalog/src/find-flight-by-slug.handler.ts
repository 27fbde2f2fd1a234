import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { hasDeparted } from './departure.js';
import { FindFlightBySlug } from './find-flight-by-slug.query.js';
import { FlightDocuments } from './flight-documents.js';
import { flightView } from './flight.view.js';

@QueryHandler(FindFlightBySlug)
export class FindFlightBySlugHandler implements IQueryHandler<FindFlightBySlug> {
  constructor(
    private readonly flights: FlightDocuments,
    private readonly clock: Clock,
  ) {}

  async execute({ slug, siteUrl }: FindFlightBySlug) {
    const flight = await this.flights.findBySlug(slug);
    return flight && { flight: flightView(flight, siteUrl), hasDeparted: hasDeparted(flight, this.clock.now()) };
  }
}
