import { createPublicKey } from 'node:crypto';
import { z } from 'zod';

/** The algorithms that a client may sign with (FAPI 2.0 Security Profile §5.4.1); EdDSA has two names (RFC 9864 §2.2). */
export const CLIENT_ALGORITHMS = ['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;

/** How many keys a client may have at a time: the one that signs, and those before and after it. */
const MOST = 10;
/** Bits of an RSA modulus. */
const [SHORTEST_RSA, LONGEST_RSA] = [2_048, 8_192];
/** The public exponents of RSA: with a longer one a check costs as many multiplications as it has bits (RFC 8017 §3.1). */
const [LEAST_EXPONENT, MOST_EXPONENT] = [3n, 2n ** 32n - 1n];

const text = z.string().min(1).max(1_500);
const any = {
  kid: z.string().min(1).max(200).optional(),
  use: z.literal('sig').optional(),
  alg: z.enum(CLIENT_ALGORITHMS).optional(),
  /** The private part of a key (RFC 7518 §6), which nobody but the client may have. */
  d: z.never().optional(),
};
const publicKey = z.discriminatedUnion('kty', [
  z.object({ ...any, kty: z.literal('RSA'), n: text, e: text }),
  z.object({ ...any, kty: z.literal('EC'), crv: z.literal('P-256'), x: text, y: text }),
  z.object({ ...any, kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: text }),
]);

/** The public keys of a client (RFC 7517 §5), without the members that are not used here. */
export const clientKeys = z.object({ keys: z.array(publicKey).min(1).max(MOST).readonly() });
export type ClientKeys = z.infer<typeof clientKeys>;

/** A set of keys cannot authenticate a client. The message, in English, says why; it contains nothing of the keys. */
export class ClientKeysRefused extends Error {
  override readonly name = 'ClientKeysRefused';
}

/** The 1 to 10 public keys of a JWK set, each with a `kid`: RSA of 2,048 to 8,192 bits, P-256, Ed25519. @throws ClientKeysRefused */
export const clientKeysIn = (given: unknown): ClientKeys => {
  const parsed = clientKeys.safeParse(given);
  if (!parsed.success) {
    throw new ClientKeysRefused(`the keys must be a JWK set of 1 to ${MOST} public keys, each RSA, P-256 or Ed25519`);
  }
  const { keys } = parsed.data;
  if (!keys.every(isFit)) {
    throw new ClientKeysRefused(
      `one of the keys is malformed, or RSA of less than ${SHORTEST_RSA} or more than ${LONGEST_RSA} bits, or with an exponent of more than 32`,
    );
  }
  const kids = new Set(keys.map(({ kid }) => kid));
  if (keys.length > 1 && (kids.has(undefined) || kids.size < keys.length)) {
    throw new ClientKeysRefused('the keys are several, and each needs a kid of its own');
  }
  return parsed.data;
};

/** The keys of a client's own document that can be used here; all others are ignored (RFC 7517 §5). */
export const usableKeysIn = ({ keys }: Readonly<Record<string, unknown>>): ClientKeys => {
  const given: readonly unknown[] = Array.isArray(keys) ? keys : [];
  const known = given.flatMap((one) => publicKey.safeParse(one).data ?? []);
  return { keys: known.filter(isFit).slice(0, MOST) };
};

/** Whether a key is strong enough, and cheap enough to check with: it is a stranger's choice. */
const isFit = (jwk: ClientKeys['keys'][number]): boolean => {
  try {
    const { asymmetricKeyDetails = {} } = createPublicKey({ key: jwk, format: 'jwk' });
    if (jwk.kty !== 'RSA') return true;
    const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails;
    return bits >= SHORTEST_RSA && bits <= LONGEST_RSA && exponent >= LEAST_EXPONENT && exponent <= MOST_EXPONENT;
  } catch {
    return false;
  }
};
