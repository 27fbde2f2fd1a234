import { Query } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import type { FlightView } from './flight.view.js';
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
