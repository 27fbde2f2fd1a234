import { createPublicKey, hash, verify } from 'node:crypto';
import type { Crypto } from '#verifier';

/** SHA-256 of bytes, or of the UTF-8 of a text. Asked for as a string of bytes, Node gives it in a third of the time. */
export const sha256Of = (content: Uint8Array | string): Uint8Array =>
  Buffer.from(hash('sha256', content, 'binary'), 'binary');

/** Bytes of a block of SHA-256 (FIPS 180-4). */
const BLOCK = 64;
let inner = Buffer.alloc(BLOCK + 1_024);
const outer = Buffer.alloc(BLOCK + 32);

/** HMAC-SHA-256 (RFC 2104) of a text, by a key of at most 64 bytes: two plain hashes, which cost Node half of what its own HMAC does. */
export const hmacOf = (key: Uint8Array, text: string, encoding: 'base64url' | 'binary'): string => {
  if (inner.length < BLOCK + 3 * text.length) inner = Buffer.alloc(BLOCK + 3 * text.length);
  for (let place = 0; place < BLOCK; place += 1) {
    const byte = place < key.length ? (key[place] ?? 0) : 0;
    inner[place] = byte ^ 0x36;
    outer[place] = byte ^ 0x5c;
  }
  const end = BLOCK + inner.write(text, BLOCK);
  outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK, 'binary');
  return hash('sha256', outer, encoding);
};

export const nodeCrypto: Crypto = {
  sha256: sha256Of,
  verifyEd25519: async (publicKey, message, signature) => {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return Promise.resolve(verify(null, message, key, signature));
  },
};
