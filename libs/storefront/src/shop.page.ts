import type { BaseUrls } from '#http';
import { type Page, publicPage, type PublicPageContent } from '#site';
import { VERSIONED_WEBMCP_SCRIPT } from '#webmcp';

/** A page of the shop window, with the script that offers the agents' tools. */
export const shopPage = ({
  status = 200,
  urls,
  ...content
}: Omit<PublicPageContent, 'siteUrl' | 'script'> & { readonly status?: number; readonly urls: BaseUrls }): Page => ({
  status,
  html: publicPage({ ...content, siteUrl: urls.site, script: VERSIONED_WEBMCP_SCRIPT }),
  isPublic: true,
  scriptTargets: [...new Set([urls.base, urls.auth].map((address) => new URL(address).origin))],
});
