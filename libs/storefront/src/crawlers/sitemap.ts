import { escaped } from '#site';

/** The most addresses a sitemap may hold (sitemaps.org). */
export const LONGEST = 50_000;

/** A sitemap of these addresses (sitemaps.org). */
export const sitemapOf = (addresses: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...addresses.map((address) => `<url><loc>${escaped(address)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
