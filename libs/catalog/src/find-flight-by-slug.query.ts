import { Query } from '@nestjs/cqrs';
import type { FlightView } from './flight.view.js';

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
