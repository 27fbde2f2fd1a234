import { Injectable } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { DocumentUnread, RemoteDocuments } from '#remote';
import { hashOf } from '#identity';
import { Clock, instantOf, millisecondsOf } from '#kernel';
import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { LIFETIMES } from '../oauth-settings.js';
import { CLIENT_ALGORITHMS, type ClientKeys, usableKeysIn } from './client-keys.js';
import type { Client } from './clients.js';

/** RFC 7523 §2.2. */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** How far (seconds) a client's clock may be ahead or behind (FAPI 2.0 Security Profile §5.3.2.1). */
const SKEW = 10;

/** What an assertion may say of its own type; a DPoP proof or a request object by the same key is none. */
const TYPES: readonly unknown[] = [undefined, 'JWT', 'client-authentication+jwt'];

/** What is asked of the claims beyond what jose checks (RFC 7523 §3). The audience is one text, not a list of them. */
const claims = z.object({ aud: z.string(), jti: z.string().min(1), exp: z.number(), iat: z.number().optional() });
type Claims = z.infer<typeof claims>;

export interface Between {
  /** The client's id as it sends it. */
  readonly clientId: string;
  /** This server, the only audience: a client that was lured to another one has signed for that. */
  readonly issuer: string;
}

/** The assertions of clients (`private_key_jwt`, RFC 7523 §2.2): each counts once in all processes, until it has expired. */
@Injectable()
export class ClientAssertions {
  private readonly used: Collection<object>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly remote: RemoteDocuments,
  ) {
    this.used = new Collection(documents, { name: 'client-assertions', indexes: [] }, z.object({}));
  }

  prepare(): Promise<void> {
    return this.used.prepare();
  }

  /** Uses up an assertion; returns whether it proves that this client sent it to this server. @throws Unavailable */
  async accept(assertion: string, client: Client, between: Between): Promise<boolean> {
    const now = millisecondsOf(this.clock.now());
    const proven = await claimsOf(assertion, this.keyOf(client), between, now);
    const isTimely =
      proven && (proven.iat ?? 0) <= now / 1000 + SKEW && 1000 * proven.exp <= now + LIFETIMES.clientAssertion;
    if (!isTimely) return false;
    const expiresAt = instantOf(1000 * (Math.ceil(proven.exp) + SKEW));
    return this.used.insertIfAbsent(hashOf(`${hashOf(proven.jti)} ${client.clientId}`), {}, { expiresAt });
  }

  /** Finds the key of an assertion. Where the client's own document lacks it, that is read again: the client has a new one. */
  private keyOf({ jwks, jwksUri }: Client): JWTVerifyGetKey {
    if (jwksUri === undefined) return keySet(jwks);
    const keysNow = async (noOlderThan?: number) =>
      keySet(usableKeysIn((await this.remote.get(jwksUri, noOlderThan)).body));
    return async (header, token) => {
      try {
        const keys = await keysNow();
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await keysNow(0))(header, token);
      }
    };
  }
}

/** The claims of an assertion that its client has signed for this issuer and that is in force; null: it is none. */
const claimsOf = async (
  assertion: string,
  key: JWTVerifyGetKey,
  { clientId, issuer }: Between,
  now: number,
): Promise<Claims | null> => {
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, key, {
      algorithms: [...CLIENT_ALGORITHMS],
      issuer: clientId,
      subject: clientId,
      audience: issuer,
      clockTolerance: SKEW,
      currentDate: new Date(now),
    });
    return TYPES.includes(protectedHeader.typ) ? (claims.safeParse(payload).data ?? null) : null;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof DocumentUnread) return null;
    throw error;
  }
};

const keySet = (keys: ClientKeys | undefined): JWTVerifyGetKey => createLocalJWKSet({ keys: [...(keys?.keys ?? [])] });

/** The client that an assertion claims to be of, which nothing proves yet; undefined: none, or what is no text. */
export const claimedClient = (assertion: string): string | undefined => {
  try {
    return z.string().safeParse(decodeJwt(assertion).sub).data;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
