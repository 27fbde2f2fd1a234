import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { OAuthError } from '../oauth-error.js';

/** The algorithms of a proof. A stranger chooses the key: of these each has one size, and is verified in 0.1 ms. */
export const PROOF_ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519'] as const;

/** The longest proof, in characters: one for our longest address has some 1,000. */
const LONGEST = 4_096;

/** The keys whose header was read last: 4 MB of them at most. */
const REMEMBERED = 1_000;

/** A coordinate or key of 32 bytes (RFC 7518 §6.2.1, RFC 8037 §2). */
const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
/** No private part and no symmetric key: whoever sends one has lost it (RFC 9449 §4.3, 7). */
const none = z.undefined().optional();
const NOT_PRIVATE = { d: none, k: none };

/** The header of a proof (RFC 9449 §4.2), with the key's public members and no others, and no extension that must be understood. */
const proofHeader = z
  .object({
    typ: z.literal('dpop+jwt'),
    alg: z.enum(PROOF_ALGORITHMS),
    jwk: z.discriminatedUnion('kty', [
      z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: bytes32, y: bytes32, ...NOT_PRIVATE }),
      z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: bytes32, ...NOT_PRIVATE }),
    ]),
    crit: none,
  })
  .refine(({ alg, jwk }) => (alg === 'ES256') === (jwk.kty === 'EC'));

const proofClaims = z.object({
  jti: z.string().min(1),
  htm: z.string(),
  htu: z.string(),
  /** Seconds since 1970. */
  iat: z.number(),
  ath: z.string().optional(),
  nonce: z.string().optional(),
});

/** What a proof says, signed by the key whose thumbprint (RFC 7638) is `jkt`. */
export interface Proof extends z.infer<typeof proofClaims> {
  readonly jkt: string;
}

interface ProofKey {
  readonly jkt: string;
  readonly alg: string;
  readonly key: Awaited<ReturnType<typeof importJWK>>;
}

/** Reads proofs and verifies their signatures. The key of a header that comes again is not read again. */
export class ProofReader {
  private readonly keys = new LRUCache<string, ProofKey>(upTo(REMEMBERED));

  /** The proof in a `DPoP` header (RFC 9449 §4.3, 2 to 7). @throws OAuthError `dpop_proof_malformed` */
  async read(text: string): Promise<Proof> {
    try {
      if (text.length > LONGEST) throw new Error('too long');
      const { jkt, alg, key } = await this.keyOf(text);
      const { payload } = await compactVerify(text, key, { algorithms: [alg] });
      return { ...proofClaims.parse(JSON.parse(new TextDecoder().decode(payload))), jkt };
    } catch (error) {
      throw new OAuthError('dpop_proof_malformed', { cause: error });
    }
  }

  private async keyOf(text: string): Promise<ProofKey> {
    const header = text.slice(0, text.indexOf('.'));
    const known = this.keys.get(header);
    if (known) return known;
    const { alg, jwk } = proofHeader.parse(decodeProtectedHeader(text));
    const found = { alg, jkt: await calculateJwkThumbprint(jwk), key: await importJWK(jwk, alg) };
    this.keys.set(header, found);
    return found;
  }
}
