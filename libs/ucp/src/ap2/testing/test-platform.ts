import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { SDJwtInstance } from '@sd-jwt/core';
import type { SigningKey } from '../merchant-authorization.js';
import type { Claims, PublicKey } from '../sd-jwt.js';

/** Keys of somebody in a test: a traveller, a platform, an agent, the merchant. */
export interface TestKey extends SigningKey {
  readonly jwk: PublicKey;
}

export const testKey = (kid: string, namedCurve: 'P-256' | 'P-384' = 'P-256'): TestKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  return { kid, privateKey, jwk: publicKey.export({ format: 'jwk' }) as PublicKey };
};

export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** What of a token is another than usual. `frame`: what of the mandate can be disclosed, as `@sd-jwt/core` takes it. */
export interface Minting {
  readonly header?: Claims;
  readonly claims?: Claims;
  readonly frame?: Claims;
}

const mint = (content: Claims, key: TestKey, { header, claims, frame }: Minting): Promise<string> => {
  const issuer = new SDJwtInstance<Claims>({
    omitTyp: true,
    hashAlg: 'sha-256',
    signAlg: 'ES256',
    signer: (data) =>
      sign('sha256', Buffer.from(data), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
    hasher: (data) =>
      createHash('sha256')
        .update(typeof data === 'string' ? data : new Uint8Array(data))
        .digest(),
    saltGenerator: (length) => randomBytes(length).toString('base64url'),
  });
  const { delegate_payload: mandates = [content], ...others } = claims ?? {};
  return issuer.issue(
    { delegate_payload: mandates, ...others },
    { delegate_payload: { _sd: [...(mandates as Claims[]).keys()], 0: frame } } as never,
    { header: { kid: key.kid, ...header } },
  );
};

/** A mandate that somebody signed for an agent to close, or, with `binding`, closed at once. */
export const rootMandate = (content: Claims, key: TestKey, minting: Minting = {}): Promise<string> =>
  mint(content, key, { ...minting, header: { typ: 'example+sd-jwt', ...minting.header } });

/** The chain of an open mandate, or of several, and what the agent closes it by. */
export const closedBy = async (
  agent: TestKey,
  open: string,
  content: Claims,
  { header, claims, frame = {} }: Minting = {},
): Promise<string> => {
  const said = {
    iat: 0,
    aud: 'https://voos.example',
    nonce: 'n-1',
    sd_hash: sha256(open.split('~~').at(-1) ?? ''),
    ...claims,
  };
  const closed = await mint(content, agent, { header: { typ: 'kb+sd-jwt', ...header }, claims: said, frame });
  return `${open.slice(0, -1)}~~${closed}`;
};

/** The parts of a text between `~`: an issuer's JWT, disclosures, and what is empty. */
export const edited = (text: string, edit: (parts: string[]) => readonly string[]): string =>
  edit(text.split('~')).join('~');

/** A JWT whose header and payload say something else, under the signature that it had. */
export const forged = (jwt: string, header: Claims, payload: Claims = {}): string => {
  const [was = '', said = '', signature = ''] = jwt.split('.');
  const merged = (part: string, members: Claims) =>
    Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims), ...members }),
    ).toString('base64url');
  return [merged(was, header), merged(said, payload), signature].join('.');
};
