/** The service's public addresses, without a trailing slash, as one request sees them (docs/interface.md, Conventions). */
export interface BaseUrls {
  /** `{base_url}`: the API, ending in `/api/v1`. */
  readonly base: string;
  /** `{site_url}`: the public site. */
  readonly site: string;
  /** `{auth_url}`: the authorization server, the issuer. */
  readonly auth: string;
}

/** The addresses in force: the default or configured ones and, where none is configured, those of loopback names. */
export interface Addresses {
  readonly urls: BaseUrls;
  /** Whether a request under a loopback name is answered under its own name (docs/decisions.md, Fixed names). */
  readonly followLoopback: boolean;
}

/** Path of the API below its origin; the major version is carried in it (docs/interface.md, Versioning). */
export const API = 'api/v1';

export const baseUrlsAt = (origin: string): BaseUrls => ({ base: `${origin}/${API}`, site: origin, auth: origin });

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i;
const LAST_PORT = 65_535;

/** Whether `host` (a Host header) is a loopback name, whatever the port, if it is one: containers map it. */
export const isLoopback = (host: string | undefined): host is string => {
  const found = host === undefined ? null : LOOPBACK.exec(host);
  return found !== null && Number(found[1] ?? 0) <= LAST_PORT;
};

/** The addresses under the loopback name that was asked for last: callers keep to one name. */
let last: { readonly host: string; readonly urls: BaseUrls } | null = null;

const loopbackUrls = (host: string): BaseUrls => {
  if (last?.host !== host) last = { host, urls: baseUrlsAt(`http://${host.toLowerCase()}`) };
  return last.urls;
};

/** The addresses a request under `host` gets: its own where it is a loopback name and none is configured, else the fixed ones. */
export const baseUrlsFor = ({ urls, followLoopback }: Addresses, host: string | undefined): BaseUrls =>
  followLoopback && isLoopback(host) ? loopbackUrls(host) : urls;

/** Where the metadata of what is at `address` lies: between its host and its path (RFC 8414 §3.1, RFC 9728 §3.1). */
export const wellKnown = (name: string, address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`;
};

/** The address of a request as its caller knows it, without its query. */
export const addressOf = ({ url, urls }: { readonly url: string; readonly urls: BaseUrls }): string => {
  const [path = ''] = url.split('?', 1);
  if (path.startsWith(`/${API}/`)) return urls.base + path.slice(API.length + 1);
  return (path.startsWith('/oauth/') ? urls.auth : urls.site) + path;
};

/** Takes the path of an address off a URL, unless a route matches it (`isKnown`). Null where no address has a path. */
export const stripBasePath = (
  { auth, site, base }: BaseUrls,
  isKnown: (path: string) => boolean,
): ((url: string) => string) | null => {
  const addresses = [auth, site, base.replace(new RegExp(`/${API}$`), '')];
  const paths = addresses.map((address) => new URL(address).pathname).filter((path) => path !== '/');
  if (paths.length === 0) return null;
  return (url) => {
    const [asked = ''] = url.split('?', 1);
    const path = isKnown(asked) ? undefined : paths.find((one) => asked.startsWith(`${one}/`));
    return path === undefined ? url : url.slice(path.length);
  };
};
