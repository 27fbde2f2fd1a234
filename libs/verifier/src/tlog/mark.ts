import { base64url, concat, utf8 } from '../bytes.js';
import type { Sha256 } from '../crypto.js';

/** Bytes of a block of SHA-256 (FIPS 180-4). */
const BLOCK = 64;

/** HMAC-SHA-256 (RFC 2104), by a key of at most 64 bytes. */
export const hmac = (sha256: Sha256, key: Uint8Array, message: Uint8Array): Uint8Array => {
  const padded = (pad: number): Uint8Array => Uint8Array.from({ length: BLOCK }, (_, place) => (key[place] ?? 0) ^ pad);
  return sha256(concat(padded(0x5c), sha256(concat(padded(0x36), message))));
};

/**
 * What stands for an event in its entry of the log: nobody without the key of its stream can tell which stream it is of, or
 * that it is of the same one as another.
 */
export const markOf = (sha256: Sha256, key: Uint8Array, revision: number): string =>
  base64url(hmac(sha256, key, utf8(String(revision))));
