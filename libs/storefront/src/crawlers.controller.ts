import { Controller, Get, Header } from '@nestjs/common';
import { FlightDocuments, flightView } from '#catalog';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { AnswersPages, type Asset, asset, escaped } from '#site';

const FLIGHTS = 500;

/** The most addresses a sitemap may hold (sitemaps.org). */
const LONGEST = 50_000;

@AnswersPages()
@Controller()
export class CrawlersController {
  constructor(private readonly flights: FlightDocuments) {}

  /** RFC 9309. The pages of one traveller and of auditors are closed to crawlers. */
  @Get('robots.txt')
  @Header('cache-control', 'public, max-age=3600')
  @Header('content-type', 'text/plain; charset=utf-8')
  robots(@CurrentBaseUrls() { site }: BaseUrls): string {
    const closed = ['/auditoria', '/conta', '/desafios/', '/oauth/', '/conectar/'];
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
  async sitemap(@CurrentBaseUrls() { site }: BaseUrls): Promise<Asset> {
    const addresses = [`${site}/`, `${site}/voos`, `${site}/verificar`, `${site}/docs/erros`, `${site}/docs/errors`];
    let cursor: string | undefined;
    do {
      const page = await this.flights.find({}, { limit: FLIGHTS, cursor });
      addresses.push(...page.items.map((flight) => flightView(flight, site).url));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && addresses.length < LONGEST);
    return asset('application/xml; charset=utf-8', sitemapOf(addresses.slice(0, LONGEST)));
  }
}

const sitemapOf = (addresses: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...addresses.map((address) => `<url><loc>${escaped(address)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
