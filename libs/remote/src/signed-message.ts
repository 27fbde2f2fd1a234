import { API, type BaseUrls, type SignedRequest } from '#http';
import type { SignedMessage } from './message-signatures.js';

/** A request as its signer saw it: under the address of ours that it was sent to. */
export const messageOf = ({ method, headers, urls, url, originalUrl }: SignedRequest): SignedMessage => {
  const { protocol, host, pathname } = addressOf(urls, url);
  const hosts = [urls.base, urls.site, urls.auth].map((address) => new URL(address).host);
  const asked = withoutDefaultPort(headers.host ?? '', protocol);
  const prefix = pathname.replace(/\/$/, '');
  const path = pathOf(originalUrl);
  return {
    method,
    scheme: protocol.slice(0, -1),
    // A proxy may have put a name of its own there. Then it is the one of the address that the path belongs to.
    authority: hosts.includes(asked) ? asked : host,
    // One that serves the address under a path may have taken that off, as we do where it has not.
    target: path.startsWith(`${prefix}/`) ? path : `${prefix}${path}`,
    headers,
  };
};

/** The one of our addresses that a path, without the path of that address, belongs to. */
const addressOf = ({ base, site, auth }: BaseUrls, url: string): URL => {
  if (url.startsWith(`/${API}`)) return new URL(base.slice(0, -API.length));
  return new URL(url.startsWith('/oauth') ? auth : site);
};

const withoutDefaultPort = (host: string, protocol: string): string =>
  host.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '');

/** Path and query of a target, which may be a whole address (RFC 9112 §3.2.2). */
const pathOf = (target: string): string => {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return `${pathname}${search}`;
};
