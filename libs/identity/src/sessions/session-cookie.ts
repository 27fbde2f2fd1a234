import type { BaseUrls } from '#http';
import { SESSION_LIFE } from '../identity-settings.js';

const isSecure = ({ auth }: BaseUrls): boolean => auth.startsWith('https:');

/** The cookie that the travellers' pages know a browser by. */
const SESSION = 'alcada_session';

/** Over https the name itself binds the cookie to this very host (RFC 6265bis §4.1.3.2). */
const nameAt = (urls: BaseUrls, name: string): string => `${isSecure(urls) ? '__Host-' : ''}${name}`;

/** The browser's session id, or null. Only what we can have set ourselves counts. */
export const sessionIdIn = (cookies: string | undefined, urls: BaseUrls, name = SESSION): string | null => {
  const [, id] = new RegExp(`(?:^|; *)${nameAt(urls, name)}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(cookies ?? '') ?? [];
  return id ?? null;
};

/** The `Set-Cookie` of a session id. `Lax`: a strict one would not come along on arrival from the client. */
export const sessionCookie = (id: string, urls: BaseUrls, name = SESSION): string =>
  [
    `${nameAt(urls, name)}=${id}`,
    'Path=/',
    `Max-Age=${SESSION_LIFE / 1000}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(urls) ? ['Secure'] : []),
  ].join('; ');
