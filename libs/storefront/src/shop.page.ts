import type { Links } from '#http';
import { type Page, publicPage, type PublicPageContent } from '#site';
import { VERSIONED_WEBMCP_SCRIPT } from '#webmcp';

/** A page of the shop window, with the script that offers the agents' tools. */
export const shopPage = ({
  status = 200,
  links,
  ...content
}: Omit<PublicPageContent, 'siteUrl' | 'script'> & { readonly status?: number; readonly links: Links }): Page => ({
  status,
  html: publicPage({ ...content, siteUrl: links.site, script: VERSIONED_WEBMCP_SCRIPT }),
  isPublic: true,
  scriptTargets: [...new Set([links.base, links.auth].map((address) => new URL(address).origin))],
});
