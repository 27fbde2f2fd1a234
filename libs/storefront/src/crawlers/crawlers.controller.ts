import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { SearchFlights } from '#catalog';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { asset, sendAsset } from '#site';
import type { FastifyReply } from 'fastify';
import { LONGEST, sitemapOf } from './sitemap.js';

/** Flights read at once. */
const FLIGHTS = 500;

/** What search engines ask for first. */
@ApiExcludeController()
@Controller()
export class CrawlersController {
  constructor(private readonly queries: QueryBus) {}

  /** RFC 9309. What belongs to one traveller is asked for by nobody else. */
  @Get('robots.txt')
  @Header('cache-control', 'public, max-age=3600')
  @Header('content-type', 'text/plain; charset=utf-8')
  robots(@CurrentBaseUrls() { site }: BaseUrls): string {
    const closed = ['/conta', '/desafios/', '/oauth/', '/conectar/'];
    return [
      'User-agent: *',
      ...closed.map((path) => `Disallow: ${path}`),
      'Allow: /',
      '',
      `Sitemap: ${site}/sitemap.xml`,
      '',
    ].join('\n');
  }

  @Get('sitemap.xml')
  async sitemap(
    @CurrentBaseUrls() { site }: BaseUrls,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const addresses = [`${site}/`];
    let cursor: string | undefined;
    do {
      const page = await this.queries.execute(new SearchFlights({}, { limit: FLIGHTS, cursor }, site));
      addresses.push(...page.items.map(({ url }) => url));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && addresses.length < LONGEST);
    sendAsset(reply, asset('application/xml; charset=utf-8', sitemapOf(addresses.slice(0, LONGEST))), known);
  }
}
