import { type BaseUrls, isLoopback } from '#http';
import type { Client } from './clients.js';

const LONGEST_URI = 2_000;

/** Why a redirect URI is refused, or null: https, or http on loopback (RFC 8252 §7.3), in one spelling (RFC 9700 §2.1). */
export const flawOfRedirectUri = (uri: string): string | null => {
  if (!URL.canParse(uri)) return 'is not an absolute address';
  const url = new URL(uri);
  if (uri.length > LONGEST_URI) return `is longer than ${LONGEST_URI} characters`;
  if (url.protocol === 'http:' ? !isLoopback(url.host) : url.protocol !== 'https:') {
    return 'must be https, or http on 127.0.0.1, [::1] or localhost';
  }
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  // A host that no name system knows may be written to look like another on the consent page.
  if (!/^[a-z0-9._:[\]-]+$/.test(url.host)) return 'must name one host, of letters, digits, dots and hyphens';
  return url.href === uri ? null : `must be written as ${url.href}`;
};

/** Whether `uri` is the client's, character for character; a self-registered one may change a loopback port (RFC 8252 §7.3). */
export const isRedirectUriOf = (client: Client, uri: string, { auth, site }: BaseUrls): boolean => {
  const spelled = client.registration ? withoutLoopbackPort : (one: string) => one;
  return (
    URL.canParse(uri) &&
    client.redirectUris.some(
      (registered) =>
        spelled(registered.replace(/^\{auth_url\}/, auth).replace(/^\{site_url\}/, site)) === spelled(uri),
    )
  );
};

const withoutLoopbackPort = (uri: string): string =>
  uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1');
