import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { FindFlightBySlug, SearchFlights } from '#catalog';
import { DomainError } from '#kernel';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KnownAirports } from './airports.js';
import { flightPage } from './flight/flight.page.js';
import { homePage } from './search/home.page.js';
import { searchAsked } from './search/search-asked.js';
import { ShopErrorFilter } from './shop-error.filter.js';

/** Flights on one page of a search. */
const FLIGHTS = 20;

/** The public pages: the search, and each flight. */
@ApiExcludeController()
@UseFilters(ShopErrorFilter)
@Controller()
export class StorefrontController {
  constructor(
    private readonly queries: QueryBus,
    private readonly airports: KnownAirports,
  ) {}

  @Get()
  async home(@Req() { url, urls }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // The raw query: what is repeated or strange in it is no reason to show nothing.
    const asked = searchAsked(new URL(url, urls.site).searchParams);
    const [flights, airports] = await Promise.all([
      this.queries.execute(new SearchFlights(asked, { limit: FLIGHTS, cursor: asked.cursor }, urls.site)),
      this.airports.all(urls.site),
    ]);
    sendPage(reply, homePage({ asked, flights, airports }, urls));
  }

  @Get('voos/:slug')
  async flight(
    @Param('slug') slug: string,
    @Req() { urls }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [found, airports] = await Promise.all([
      this.queries.execute(new FindFlightBySlug(slug, urls.site)),
      this.airports.all(urls.site),
    ]);
    if (!found) throw new DomainError('route_not_found');
    sendPage(reply, flightPage(found, airports.named(found.flight.from), urls));
  }
}
