import { isLoopback } from '#http';

const LONGEST = 2_000;

/**
 * What is wrong with a redirect URI that an operator registers, in English; null: nothing. It is compared character for
 * character (RFC 9700 §2.1), so only one spelling is taken; https, or http on a loopback address (RFC 8252 §7.3).
 */
export const flawOfRedirectUri = (uri: string): string | null => {
  if (!URL.canParse(uri)) return 'is not an absolute address';
  const url = new URL(uri);
  if (uri.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (url.protocol === 'http:' ? !isLoopback(url.host) : url.protocol !== 'https:') {
    return 'must be https, or http on 127.0.0.1, [::1] or localhost';
  }
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.host.includes('*')) return 'must name one host';
  return url.href === uri ? null : `must be written as ${url.href}`;
};
