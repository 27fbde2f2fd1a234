import type { BaseUrls } from '#http';
import { LIFETIMES } from '../oauth-settings.js';

const isSecure = ({ auth }: BaseUrls): boolean => auth.startsWith('https:');

/** What a browser is known by: to the travellers' pages, and to the playground, which outlives a login (its id does not change there). */
type CookieName = 'alcada_session' | 'alcada_playground';

/** Over https the name itself binds the cookie to this very host (RFC 6265bis §4.1.3.2). */
const nameAt = (urls: BaseUrls, name: CookieName): string => `${isSecure(urls) ? '__Host-' : ''}${name}`;

/** The browser's session id, or null. Only what we can have set ourselves counts. */
export const sessionIdIn = (
  cookies: string | undefined,
  urls: BaseUrls,
  name: CookieName = 'alcada_session',
): string | null => {
  const [, id] = new RegExp(`(?:^|; *)${nameAt(urls, name)}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(cookies ?? '') ?? [];
  return id ?? null;
};

/** The `Set-Cookie` of a session id. `Lax`: a strict one would not come along on arrival from the client. */
export const sessionCookie = (id: string, urls: BaseUrls, name: CookieName = 'alcada_session'): string =>
  [
    `${nameAt(urls, name)}=${id}`,
    'Path=/',
    `Max-Age=${LIFETIMES.session / 1000}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(urls) ? ['Secure'] : []),
  ].join('; ');
