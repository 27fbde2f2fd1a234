import { Controller, Get, Param, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FindFlightBySlug, flightListView, flightView, SearchFlights } from '#catalog';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs, LimitedBy } from '#http';
import { DomainError } from '#kernel';
import { AnswersPages, type Page } from '#site';
import type { FastifyRequest } from 'fastify';
import { KnownAirports } from './airports.js';
import { flightPage } from './flight/flight.page.js';
import { homePage } from './search/home.page.js';
import { searchRequestIn } from './search/search-form.js';
import { storefrontErrors } from './storefront.page.js';

/** Flights on one page of a search. */
const FLIGHTS = 20;

/** The public pages: the search, and each flight. */
@AnswersPages()
@ErrorsAs(storefrontErrors)
@Controller()
export class StorefrontController {
  constructor(
    private readonly queries: QueryBus,
    private readonly airports: KnownAirports,
  ) {}

  @Get()
  @LimitedBy('publicReads', 3)
  async home(@Req() { url, urls }: FastifyRequest): Promise<Page> {
    // The raw query: a repeated or strange parameter is no reason to show nothing.
    const search = searchRequestIn(new URL(url, urls.site).searchParams);
    const [found, airports] = await Promise.all([
      this.queries.execute(new SearchFlights(search, { limit: FLIGHTS, cursor: search.cursor })),
      this.airports.all(),
    ]);
    return homePage({ search, flights: flightListView(found, urls.site), airports }, urls);
  }

  @Get('voos/:slug')
  async flight(@Param('slug') slug: string, @CurrentBaseUrls() urls: BaseUrls): Promise<Page> {
    const [found, airports] = await Promise.all([
      this.queries.execute(new FindFlightBySlug(slug)),
      this.airports.all(),
    ]);
    if (!found) throw new DomainError('route_not_found');
    const flight = flightView(found.flight, urls.site);
    return flightPage({ ...found, flight }, airports.named(flight.from), urls);
  }
}
