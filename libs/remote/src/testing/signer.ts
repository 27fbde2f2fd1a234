import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Signer {
  readonly key: KeyObject;
  readonly jwk: { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string };
  readonly keyid: string;
}

const signerOf = (key: KeyObject): Signer => {
  const { x = '' } = key.export({ format: 'jwk' });
  const text = `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`;
  const keyid = createHash('sha256').update(text).digest('base64url');
  return { key, jwk: { kty: 'OKP', crv: 'Ed25519', x }, keyid };
};

export const newSigner = (): Signer => signerOf(generateKeyPairSync('ed25519').privateKey);

/** What is signed, and how; what is absent is as an agent that buys here has it. */
export interface Signing {
  readonly method?: string;
  readonly authority?: string;
  readonly path?: string;
  /** Value of `Signature-Agent` as it is sent, and as it is signed. */
  readonly agent?: string;
  readonly member?: string;
  readonly created: number;
  readonly lifetime?: number;
  readonly keyid?: string;
  readonly alg?: string;
  readonly tag?: string;
  readonly nonce?: string;
  /** `Content-Digest` of the body; absent: it covers none. */
  readonly digest?: string;
}

/** The headers by which an agent signs (RFC 9421 §2.5), put together without any of the code that is tested. */
export const signedHeaders = (signer: Signer, signing: Signing): Record<string, string> => {
  const { method = 'POST', authority = 'voos.example', path = '/api/v1/bookings', created, lifetime = 300 } = signing;
  const {
    agent = 'a1="https://agent.example"',
    member = '"https://agent.example"',
    keyid = signer.keyid,
    digest,
  } = signing;
  const optional = ['alg', 'nonce'] as const;
  const more = optional
    .flatMap((name) => (signing[name] === undefined ? [] : [`;${name}="${signing[name]}"`]))
    .join('');
  const parameters =
    `("@authority" "@method" "@path" "signature-agent";key="a1"${digest === undefined ? '' : ' "content-digest"'});created=${created};expires=${created + lifetime}` +
    `;keyid="${keyid}"${more};tag="${signing.tag ?? 'web-bot-auth'}"`;
  const base = [
    `"@authority": ${authority}`,
    `"@method": ${method}`,
    `"@path": ${path}`,
    `"signature-agent";key="a1": ${member}`,
    ...(digest === undefined ? [] : [`"content-digest": ${digest}`]),
    `"@signature-params": ${parameters}`,
  ].join('\n');
  return {
    'signature-agent': agent,
    ...(digest !== undefined && { 'content-digest': digest }),
    'signature-input': `a1=${parameters}`,
    signature: `a1=:${sign(null, Buffer.from(base), signer.key).toString('base64')}:`,
  };
};
