import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { hasDeparted } from './departure.js';
import { FlightDocuments } from './flight-documents.js';
import { type FlightView, flightView } from './flight.view.js';

/** A flight as its page shows it. */
export interface FlightOnPage {
  readonly flight: FlightView;
  /** Whether it has left, and its sale is closed. */
  readonly hasDeparted: boolean;
}

/** The flight whose public page has this slug; null: there is none. */
export class FindFlightBySlug extends Query<FlightOnPage | null> {
  constructor(
    readonly slug: string,
    /** `{site_url}`, for the link to the flight's page. */
    readonly siteUrl: string,
  ) {
    super();
  }
}

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
