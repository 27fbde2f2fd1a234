import { Injectable } from '@nestjs/common';
import { ReadModelStore } from '#documents';
import { DomainError } from '#kernel';
import { type ListPage, listPage, ReadModels } from '#read-models';
import { normalFlightNumber } from './flight.decider.js';
import { type FlightDocument, flightsProjection } from './flights.projection.js';
import { type FlightSearch, matchingFlights } from './matching-flights.js';

/** The flights' read model: all that the public reads look at (docs/decisions.md, Flights). */
@Injectable()
export class FlightDocuments {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /**
   * The flight with a number in any notation.
   *
   * @throws DomainError `flight_not_found`
   */
  async get(flightNumber: string): Promise<FlightDocument> {
    const flight = await this.store.get<FlightDocument>(this.collection(), normalFlightNumber(flightNumber));
    if (!flight) throw new DomainError('flight_not_found');
    return flight.body;
  }

  /** The flight whose page has this slug, or null. */
  async findBySlug(slug: string): Promise<FlightDocument | null> {
    const [flight] = await this.store.find<FlightDocument>(this.collection(), {
      where: [{ field: 'slug', equals: slug }],
      sort: { field: 'slug', direction: 'ascending' },
      limit: 1,
    });
    return flight?.body ?? null;
  }

  /**
   * One page of the flights that a search means, by departure time and then number.
   *
   * @throws DomainError `invalid_cursor`
   */
  find(
    search: FlightSearch,
    page: { readonly limit: number; readonly cursor: string | undefined },
  ): Promise<ListPage<FlightDocument>> {
    return listPage<FlightDocument>(this.store, this.collection(), {
      ...matchingFlights(search),
      sort: { field: 'departureTime', direction: 'ascending' },
      ...page,
    });
  }

  private collection(): string {
    return this.readModels.collectionOf(flightsProjection);
  }
}
