import type { Links } from '#http';
import { LIFETIMES } from '../oauth-settings.js';

const isSecure = ({ auth }: Links): boolean => auth.startsWith('https:');

/** Over https the name itself binds the cookie to this very host (RFC 6265bis §4.1.3.2). */
const nameOf = (links: Links): string => `${isSecure(links) ? '__Host-' : ''}alcada_session`;

/** The browser's session id, or null. Only what we can have set ourselves counts. */
export const sessionIdIn = (cookies: string | undefined, links: Links): string | null => {
  const [, id] = new RegExp(`(?:^|; *)${nameOf(links)}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(cookies ?? '') ?? [];
  return id ?? null;
};

/** The `Set-Cookie` of a session id. `Lax`: a strict one would not come along on arrival from the client. */
export const sessionCookie = (id: string, links: Links): string =>
  [
    `${nameOf(links)}=${id}`,
    'Path=/',
    `Max-Age=${LIFETIMES.session / 1000}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(links) ? ['Secure'] : []),
  ].join('; ');
