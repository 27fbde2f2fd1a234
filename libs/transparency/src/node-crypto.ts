import { createPublicKey, hash, verify } from 'node:crypto';
import type { Crypto } from '#verifier';

/** What the verifier needs, of node:crypto. */
export const nodeCrypto: Crypto = {
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
  verifyEd25519: async (publicKey, message, signature) => {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return Promise.resolve(verify(null, message, key, signature));
  },
};
