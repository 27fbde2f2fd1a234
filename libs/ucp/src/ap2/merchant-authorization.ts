import { CompactSign, decodeProtectedHeader } from 'jose';
import type { KeyObject } from 'node:crypto';
import { canonicalJson } from '#kernel';
import { Ap2Error } from './ap2-error.js';
import { type Claims, type PublicKey, verifiedJson } from './sd-jwt.js';

/** A key that signs for the merchant, or for who processes its payments: P-256. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** The keys of our own that are published, by `kid`, those that no longer sign included. */
export type PublishedKeys = ReadonlyMap<string, PublicKey>;

/** A checkout as it is answered. `ap2` is no part of what is signed. */
export type SignedCheckout = Claims & { readonly ap2?: Claims };

const encoder = new TextEncoder();

/** A JWS of this text, with no other header than UCP names: ECDSA, so that nobody can guess what a hash of it is of. */
export const signText = (text: string, { kid, privateKey }: SigningKey, typ?: string): Promise<string> =>
  new CompactSign(encoder.encode(text))
    .setProtectedHeader({ alg: 'ES256', kid, ...(typ !== undefined && { typ }) })
    .sign(privateKey);

const termsText = ({ ap2: _, ...terms }: SignedCheckout) => canonicalJson(terms);

/** `ap2.merchant_authorization` of a checkout: a JWS, detached, over its canonical form (UCP, AP2 Mandates, Business Authorization). */
export const merchantAuthorization = async (checkout: SignedCheckout, key: SigningKey): Promise<string> =>
  (await signText(termsText(checkout), key)).replace(/\..*\./, '..');

/**
 * What an answer's `ap2` holds: the authorization, and `checkout_jwt`, the checkout with it, signed, which a mandate takes in as it
 * stands (AP2 0.2, Checkout Mandate). UCP does not say where a platform gets the latter from.
 */
export const authorizedBy = async (checkout: SignedCheckout, key: SigningKey) => {
  const authorization = await merchantAuthorization(checkout, key);
  const whole = { ...checkout, ap2: { merchant_authorization: authorization } };
  return {
    merchant_authorization: authorization,
    checkout_jwt: await signText(canonicalJson(whole), key, 'JWT'),
  };
};

const verifiedByUs = async (jws: string, keys: PublishedKeys): Promise<Claims> => {
  try {
    const key = keys.get(decodeProtectedHeader(jws).kid ?? '');
    if (!key) throw new Error('a key that is not ours');
    return await verifiedJson(jws, key);
  } catch (cause) {
    throw new Ap2Error('merchant_authorization_invalid', '', { cause });
  }
};

const DETACHED = /^([\w-]+)\.\.([\w-]+)$/;

/** Verifies `ap2.merchant_authorization` over the rest of a checkout. @throws Ap2Error `merchant_authorization_missing`, `…_invalid` */
export const verifyMerchantAuthorization = async (checkout: SignedCheckout, keys: PublishedKeys): Promise<void> => {
  const authorization = checkout.ap2?.['merchant_authorization'];
  if (authorization === undefined) throw new Ap2Error('merchant_authorization_missing');
  const [, header = '', signature = ''] = typeof authorization === 'string' ? (DETACHED.exec(authorization) ?? []) : [];
  const payload = Buffer.from(termsText(checkout)).toString('base64url');
  await verifiedByUs(`${header}.${payload}.${signature}`, keys);
};

/** The checkout that a mandate took in, signed by us twice. @throws Ap2Error */
export const checkoutOf = async (checkoutJwt: string, keys: PublishedKeys): Promise<SignedCheckout> => {
  const checkout = (await verifiedByUs(checkoutJwt, keys)) as SignedCheckout;
  await verifyMerchantAuthorization(checkout, keys);
  return checkout;
};
