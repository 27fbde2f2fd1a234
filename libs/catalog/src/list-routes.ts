import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { FlightDocuments } from './flight-documents.js';
import type { FlightDocument } from './flights.projection.js';
import type { RoutesOnSale } from './known-flights.js';

/** The routes with the most flights of all that is on sale, at most so many of them. */
export class ListRoutes extends Query<RoutesOnSale<FlightDocument>> {
  constructor(readonly most: number) {
    super();
  }
}

@QueryHandler(ListRoutes)
export class ListRoutesHandler implements IQueryHandler<ListRoutes> {
  constructor(private readonly flights: FlightDocuments) {}

  async execute({ most }: ListRoutes): Promise<RoutesOnSale<FlightDocument>> {
    const known = await this.flights.now();
    const routes = known.routes(most).map((route) => ({ ...route, cheapest: known.get(route.cheapest) }));
    return { count: known.size, routes };
  }
}
