import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { FindFlightBySlug, SearchFlights } from '#catalog';
import { Refusal } from '#kernel';
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
  async home(@Req() { url, links }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // The raw query: what is repeated or strange in it is no reason to show nothing.
    const asked = searchAsked(new URL(url, links.site).searchParams);
    const [flights, airports] = await Promise.all([
      this.queries.execute(new SearchFlights(asked, { limit: FLIGHTS, cursor: asked.cursor }, links.site)),
      this.airports.all(links.site),
    ]);
    sendPage(reply, homePage({ asked, flights, airports }, links));
  }

  @Get('voos/:slug')
  async flight(
    @Param('slug') slug: string,
    @Req() { links }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [found, airports] = await Promise.all([
      this.queries.execute(new FindFlightBySlug(slug, links.site)),
      this.airports.all(links.site),
    ]);
    if (!found) throw new Refusal('route_not_found');
    sendPage(reply, flightPage(found, airports.named(found.flight.from), links));
  }
}
