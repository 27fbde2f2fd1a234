import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { type Instant, millisecondsOf } from '#kernel';

/** How deliveries are signed: by a secret that both sides have, or by a key of which the receiver has the public half. */
export const SIGNATURES = ['hmac-sha256', 'ed25519'] as const;
export type SignatureKind = (typeof SIGNATURES)[number];

/** What signs. `bytes`: the secret, or the private key in PKCS #8. */
export interface SigningKey {
  readonly signature: SignatureKind;
  readonly bytes: Buffer;
}

/** A new key, and what its owner verifies with: `whsec_` and a secret, or `whpk_` and a public key. */
export const newKey = (signature: SignatureKind): SigningKey & { readonly shown: string } => {
  if (signature === 'hmac-sha256') {
    const bytes = randomBytes(32);
    return { signature, bytes, shown: `whsec_${bytes.toString('base64')}` };
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  // The key itself is the end of its SPKI encoding (RFC 8410, section 4).
  const shown = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`;
  return { signature, bytes: privateKey.export({ format: 'der', type: 'pkcs8' }), shown };
};

export interface Message {
  /** Without a full stop, which ends it in what is signed. */
  readonly id: string;
  readonly body: string;
}

/** The headers of a message that is sent at `at`, signed by each key (Standard Webhooks 1.0.0, Webhook headers). */
export const signedHeaders = (
  { id, body }: Message,
  keys: readonly SigningKey[],
  at: Instant,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(millisecondsOf(at) / 1_000));
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => signatureOf(content, key)).join(' '),
  };
};

const signatureOf = (content: Buffer, { signature, bytes }: SigningKey): string =>
  signature === 'hmac-sha256'
    ? `v1,${createHmac('sha256', bytes).update(content).digest('base64')}`
    : `v1a,${sign(null, content, createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })).toString('base64')}`;
