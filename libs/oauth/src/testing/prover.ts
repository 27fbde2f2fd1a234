import { createHash } from 'node:crypto';
import { millisecondsOf } from '#kernel';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { type Fields, formOf } from './agent.js';
import { send } from './send.js';
import type { TestServer } from './test-server.js';
import { HOST, ISSUER } from './test-settings.js';

/** What a proof says; undefined leaves the claim out. */
export type Claims = Readonly<Record<string, unknown>>;

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

let count = 0;

export class Prover {
  /** The nonce that the server told it last. */
  nonce: string | undefined;

  constructor(
    readonly server: TestServer,
    readonly privateKey: CryptoKey,
    readonly jwk: JWK,
    readonly jkt: string,
    readonly alg: string,
  ) {}

  static async at(server: TestServer, alg = 'ES256'): Promise<Prover> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = await exportJWK(publicKey);
    return new Prover(server, privateKey, jwk, await calculateJwkThumbprint(jwk), alg);
  }

  proof(method: string, path: string, claims: Claims = {}, header: Claims = {}): Promise<string> {
    const { alg, jwk } = this;
    const said = { ...this.claims(method, path), ...claims };
    return new SignJWT(said).setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header }).sign(this.privateKey);
  }

  claims(method: string, path: string): Claims {
    const iat = Math.floor(millisecondsOf(this.server.clock.now()) / 1000);
    return { htm: method, htu: ISSUER + path, iat, jti: `proof-${(count += 1)}`, nonce: this.nonce };
  }

  /** Sends a request as it stands, and remembers the nonce of the answer. */
  async send(method: 'GET' | 'POST', path: string, headers: Fields, body?: string): Promise<Answered> {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const answer = await send(this.server.port, {
      method,
      path,
      headers: { host: HOST, ...Object.fromEntries(given) },
      body,
    });
    this.nonce = answer.headers['dpop-nonce'] ?? this.nonce;
    return { ...answer, body: (answer.body ? JSON.parse(answer.body) : {}) as Record<string, unknown> };
  }

  /** A token request with a proof; sent once more where the server wants a nonce first. */
  token(fields: Fields, headers: Fields = {}): Promise<Answered> {
    return this.post('/oauth/token', fields, headers);
  }

  /** A form to an endpoint for clients, with a proof; sent once more where the server wants a nonce first. */
  async post(path: string, fields: Fields, headers: Fields = {}): Promise<Answered> {
    const once = async () => {
      const dpop = await this.proof('POST', path);
      const sent = { 'content-type': 'application/x-www-form-urlencoded', dpop, ...headers };
      return this.send('POST', path, sent, formOf(fields).toString());
    };
    const answer = await once();
    return answer.body['error'] === 'use_dpop_nonce' ? once() : answer;
  }

  /** The headers of a call with a bound token and a proof, changed by a test. */
  async headers(token: string, claims: Claims = {}, path = '/api/v1/quem-sou'): Promise<Record<string, string>> {
    const ath = createHash('sha256').update(token).digest('base64url');
    return { authorization: `DPoP ${token}`, dpop: await this.proof('GET', path, { ath, ...claims }) };
  }

  /** Calls the protected operation with a proof; once more where the server wants a nonce first. */
  async call(token: string, claims: Claims = {}): Promise<Answered> {
    const once = async () => this.send('GET', '/api/v1/quem-sou', await this.headers(token, claims));
    const answer = await once();
    return answer.headers['www-authenticate']?.includes('use_dpop_nonce') === true ? once() : answer;
  }
}
