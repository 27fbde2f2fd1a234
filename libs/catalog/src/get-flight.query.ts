import { Query } from '@nestjs/cqrs';
import type { FlightView } from './flight.view.js';

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
