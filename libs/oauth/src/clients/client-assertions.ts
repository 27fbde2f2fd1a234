import { Injectable } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { hashOf } from '#identity';
import { Clock, instantOf, millisecondsOf } from '#kernel';
import { createLocalJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { LIFETIMES } from '../oauth-settings.js';
import { CLIENT_ALGORITHMS } from './client-keys.js';
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

/** Who signs an assertion, and for whom. */
export interface Between {
  /** The client's id as it sends it. */
  readonly clientId: string;
  /** This server, the only audience: a client that was lured to another one has signed for that. */
  readonly issuer: string;
}

/**
 * The assertions by which clients authenticate (`private_key_jwt`, RFC 7523 §2.2). Each counts once, in every process: the
 * hash of its id is kept until it has expired.
 */
@Injectable()
export class ClientAssertions {
  private readonly used: Collection<object>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.used = new Collection(documents, { name: 'client-assertions', indexes: [] }, z.object({}));
  }

  prepare(): Promise<void> {
    return this.used.prepare();
  }

  /**
   * Uses up an assertion; answers whether it proves that the client has sent it, and to this server.
   *
   * @throws Unavailable
   */
  async accept(assertion: string, client: Client, between: Between): Promise<boolean> {
    const now = millisecondsOf(this.clock.now());
    const proven = await claimsOf(assertion, client, between, now);
    const isTimely =
      proven && (proven.iat ?? 0) <= now / 1000 + SKEW && 1000 * proven.exp <= now + LIFETIMES.clientAssertion;
    if (!isTimely) return false;
    const expiresAt = instantOf(1000 * (proven.exp + SKEW));
    return this.used.insertIfAbsent(hashOf(`${client.clientId} ${proven.jti}`), {}, { expiresAt });
  }
}

/** The claims of an assertion that its client has signed for this issuer and that is in force; null: it is none. */
const claimsOf = async (
  assertion: string,
  { jwks }: Client,
  { clientId, issuer }: Between,
  now: number,
): Promise<Claims | null> => {
  try {
    const keys = createLocalJWKSet({ keys: [...(jwks?.keys ?? [])] });
    const { payload, protectedHeader } = await jwtVerify(assertion, keys, {
      algorithms: [...CLIENT_ALGORITHMS],
      issuer: clientId,
      subject: clientId,
      audience: issuer,
      clockTolerance: SKEW,
      currentDate: new Date(now),
    });
    return TYPES.includes(protectedHeader.typ) ? (claims.safeParse(payload).data ?? null) : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
};

/** The client that an assertion claims to be of, which nothing proves yet; undefined: none. */
export const claimedClient = (assertion: string): string | undefined => {
  try {
    return decodeJwt(assertion).sub;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
