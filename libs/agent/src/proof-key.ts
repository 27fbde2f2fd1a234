import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { millisecondsOf, SystemClock } from '#kernel';
import type { Send, Sent } from './send.js';

type Provable = Sent & Required<Pick<Sent, 'method' | 'headers'>>;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The key of an agent whose tokens are bound to it (DPoP, RFC 9449). It lives as long as this object. */
export class ProofKey {
  private readonly clock = new SystemClock();
  private readonly privateKey;
  private readonly jwk: object;
  private nonce: string | null = null;

  constructor(private readonly via: Send = fetch) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = privateKey;
    this.jwk = publicKey.export({ format: 'jwk' });
  }

  /** Sends a request with a new proof, and with `token`, if there is one; once more where the server wants another nonce. */
  async fetch(url: string, request: Provable, token: string | null = null): Promise<Response> {
    const answer = await this.send(url, request, token);
    const wanted = `${answer.headers.get('www-authenticate') ?? ''} ${answer.ok ? '' : await answer.clone().text()}`;
    return wanted.includes('use_dpop_nonce') ? this.send(url, request, token) : answer;
  }

  private async send(url: string, request: Provable, token: string | null): Promise<Response> {
    const { method, body } = request;
    const headers = {
      ...request.headers,
      dpop: this.proof(method, url, token),
      ...(token !== null && { authorization: `DPoP ${token}` }),
    };
    const answer = await this.via(url, { method, headers, ...(body !== undefined && { body }) });
    this.nonce = answer.headers.get('dpop-nonce') ?? this.nonce;
    return answer;
  }

  /** RFC 9449 §4.2. */
  private proof(method: string, url: string, token: string | null): string {
    const claims = {
      jti: randomBytes(16).toString('base64url'),
      htm: method,
      htu: url.split('?', 1)[0],
      iat: Math.floor(millisecondsOf(this.clock.now()) / 1000),
      ...(token !== null && { ath: createHash('sha256').update(token).digest('base64url') }),
      ...(this.nonce !== null && { nonce: this.nonce }),
    };
    const text = `${encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk })}.${encoded(claims)}`;
    const key = { key: this.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }
}
