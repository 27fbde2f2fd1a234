import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PlatformKey } from '../asking.js';

/** A curve: its hash, how long (bytes) a raw signature of it is, and its name where a signature says one (RFC 9421 §3.3). */
interface Curve {
  readonly hash: string;
  readonly length: number;
  readonly alg: string;
}

const CURVES: ReadonlyMap<unknown, Curve> = new Map([
  ['P-256', { hash: 'sha256', length: 64, alg: 'ecdsa-p256-sha256' }],
  ['P-384', { hash: 'sha384', length: 96, alg: 'ecdsa-p384-sha384' }],
]);

/** What a key makes of a signature: it is right or wrong, or of an algorithm that is not verified here. */
export type Verdict = 'right' | 'wrong' | 'unsupported';

export interface Signed {
  readonly base: Buffer;
  readonly bytes: Uint8Array;
  /** Parameter of the signature; undefined: the key says it. */
  readonly alg: unknown;
}

const opened = new WeakMap<PlatformKey, KeyObject | null>();

/** Judges an ECDSA signature of fixed width (UCP, Message Signatures, Signature Encoding) by a key. */
export const judge = (key: PlatformKey, { base, bytes, alg }: Signed): Verdict => {
  const curve = key.kty === 'EC' ? CURVES.get(key.crv) : undefined;
  if (!curve || (alg !== undefined && alg !== curve.alg)) return 'unsupported';
  const publicKey = opened.has(key) ? opened.get(key) : opened.set(key, open(key)).get(key);
  const isRight =
    publicKey && bytes.length === curve.length
      ? verify(curve.hash, base, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)
      : false;
  return isRight ? 'right' : 'wrong';
};

/** null: it is no point of its curve. */
const open = ({ kty, crv, x, y }: PlatformKey): KeyObject | null => {
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  } catch {
    return null;
  }
};
