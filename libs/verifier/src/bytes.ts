/** Text or bytes that are not in the format they should be in. The message is one English sentence for people. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

const encoder = new TextEncoder();
/** A byte order mark is not swallowed: what was signed is what is read. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** @throws Malformed where the bytes are not UTF-8 */
export const fromUtf8 = (bytes: Uint8Array): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Malformed('this is not UTF-8');
  }
};

/** Standard base64 with padding (RFC 4648, section 4). */
export const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** The bytes of standard base64 in its one spelling: no spaces, full padding, no bits left over. @throws Malformed */
export const fromBase64 = (text: string): Uint8Array => {
  const bytes = decoded(text);
  if (!bytes || base64(bytes) !== text) throw new Malformed('this is not base64 (RFC 4648, section 4)');
  return bytes;
};

const decoded = (text: string): Uint8Array | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

/** base64url without padding (RFC 4648, section 5). */
export const base64url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The bytes of base64url without padding. @throws Malformed */
export const fromBase64url = (text: string): Uint8Array =>
  fromBase64(text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (text.length % 4)) % 4));

/** Lower-case hex. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of lower-case hex. @throws Malformed */
export const fromHex = (text: string): Uint8Array => {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new Malformed('this is not lower-case hex');
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
};

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** A natural number as formats for machines write it: no sign, no leading zero, exact. @throws Malformed */
export const fromDecimal = (text: string): number => {
  const number = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number))
    throw new Malformed(`this is not a natural number up to 2^53 - 1: ${text.slice(0, 40)}`);
  return number;
};
