import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { hasDeparted } from './departure.js';
import { FlightDocuments } from './flight-documents.js';
import type { FlightDocument } from './flights.projection.js';

/** A flight and whether it can still be booked. */
export interface FoundFlight {
  readonly flight: FlightDocument;
  /** Whether it has left, and its sale is closed. */
  readonly hasDeparted: boolean;
}

/** The flight whose public page has this slug; null: there is none. */
export class FindFlightBySlug extends Query<FoundFlight | null> {
  constructor(readonly slug: string) {
    super();
  }
}

@QueryHandler(FindFlightBySlug)
export class FindFlightBySlugHandler implements IQueryHandler<FindFlightBySlug> {
  constructor(
    private readonly flights: FlightDocuments,
    private readonly clock: Clock,
  ) {}

  async execute({ slug }: FindFlightBySlug): Promise<FoundFlight | null> {
    const flight = await this.flights.findBySlug(slug);
    return flight && { flight, hasDeparted: hasDeparted(flight, this.clock.now()) };
  }
}
