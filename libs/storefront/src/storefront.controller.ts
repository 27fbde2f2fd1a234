import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { McpSettings } from '#agent-tools';
import { FlightDocuments, flightListView, flightView } from '#catalog';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs, LimitedBy } from '#http';
import { type AccountRegistration, IdentitySettings } from '#identity';
import { DomainError } from '#kernel';
import { AnswersPages, type Asset, type Page, type SeeOther } from '#site';
import type { FastifyRequest } from 'fastify';
import { KnownAirports } from './airports.js';
import { flightPage } from './flight/flight.page.js';
import { homePage, resultsPage } from './search/home.page.js';
import { isNarrow, type SearchRequest, searchRequestIn } from './search/search-form.js';
import { storefrontErrors } from './storefront.page.js';
import { VERIFICATION_FILES, VERIFICATION_STYLES } from './verification/modules.js';
import { ownHistoryIn, verificationPage } from './verification/verification.page.js';

/** Flights on one page of a search, and of the likeliest other search where it found none. */
const [FLIGHTS, NEAR] = [20, 5];
const ROUTES = 6;
/** Where most visitors are: the first date that they choose from is theirs. */
const ZONE = 'America/Sao_Paulo';

@AnswersPages()
@ErrorsAs(storefrontErrors)
@Controller()
export class StorefrontController {
  constructor(
    private readonly flights: FlightDocuments,
    private readonly airports: KnownAirports,
    private readonly agents: McpSettings,
    private readonly identity: IdentitySettings,
  ) {}

  @Get()
  @LimitedBy('publicReads', 3)
  async home(@Req() { url, urls }: FastifyRequest): Promise<Page> {
    const search = this.searchIn(url, urls);
    if (isNarrow(search) || search.cursor !== undefined) return this.results(search, urls);
    const [found, airports, days] = await Promise.all([
      this.flights.routes(ROUTES),
      this.airports.all(),
      this.flights.datesIn(ZONE),
    ]);
    const routes = found.routes.map((route) => ({ ...route, cheapest: flightView(route.cheapest, urls.site) }));
    const { admitsAnyClient } = this.agents;
    return homePage({ search, onSale: { ...found, routes }, airports, days, admitsAnyClient }, urls, this.shown);
  }

  @Get('voos')
  @LimitedBy('publicReads', 3)
  all(@Req() { url, urls }: FastifyRequest): Promise<Page> {
    return this.results(this.searchIn(url, urls), urls);
  }

  @Get('voos/:slug')
  async flight(@Param('slug') slug: string, @Req() { url, urls }: FastifyRequest): Promise<Page | SeeOther> {
    const date = this.searchIn(url, urls).date;
    const [found, airports] = await Promise.all([this.found(slug, date), this.airports.all()]);
    if (found === 'not on this day') return { location: `/voos/${slug}` };
    if (!found) return { location: `/voos/${await this.slugOf(slug)}` };
    const flight = flightView(found.flight, urls.site);
    return flightPage({ ...found, flight }, airports.named(flight.from), urls, this.shown);
  }

  /** A flight by its slug; null: there is none. */
  private async found(slug: string, date: string | undefined) {
    try {
      return await this.flights.findBySlug(slug, date);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'flight_not_found' && date !== undefined)
        return 'not on this day' as const;
      throw error;
    }
  }

  /** The slug of a flight that somebody typed the number of. @throws DomainError `route_not_found` */
  private async slugOf(flightNumber: string): Promise<string> {
    try {
      return (await this.flights.get(flightNumber)).slug;
    } catch (error) {
      throw error instanceof DomainError && error.code === 'flight_not_found'
        ? new DomainError('route_not_found')
        : error;
    }
  }

  /** The raw query: a repeated or strange parameter is no reason to show nothing. */
  private searchIn(url: string, urls: BaseUrls): SearchRequest {
    return searchRequestIn(new URL(url, urls.site).searchParams);
  }

  private async results(search: SearchRequest, urls: BaseUrls): Promise<Page> {
    const [found, airports, days] = await Promise.all([
      this.flights.find(search, { limit: FLIGHTS, cursor: search.cursor }),
      this.airports.all(),
      this.flights.datesIn(ZONE),
    ]);
    const [likeliest] = found.suggestions ?? [];
    const near = likeliest && (await this.flights.find(likeliest.query, { limit: NEAR, cursor: undefined }));
    const flights = flightListView(found, urls.site);
    const nearest = near ? flightListView(near, urls.site).items : [];
    return resultsPage({ search, flights, near: nearest, airports, days }, urls, this.shown);
  }

  /** The traveller whom anybody may be; null: there is none. */
  private get shown(): AccountRegistration | null {
    return this.identity.shownAccount ?? null;
  }
}

/** `{site_url}/verificar`: checks a bundle or a proof in the visitor's own browser. */
@AnswersPages()
@ErrorsAs(storefrontErrors)
@Controller()
export class VerificationController {
  @Get('verificar')
  show(@CurrentBaseUrls() urls: BaseUrls, @Query() query: Readonly<Record<string, unknown>>): Page {
    return verificationPage(urls, ownHistoryIn(query));
  }

  @Get('assets/verificar.css')
  styles(): Asset {
    return VERIFICATION_STYLES;
  }

  @Get('assets/verificar/*')
  file(@Param('*') path: string): Asset {
    const file = VERIFICATION_FILES.get(path);
    if (!file) throw new DomainError('route_not_found');
    return file;
  }
}
