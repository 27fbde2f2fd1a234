import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Collection, type Document, Documents } from '#documents';
import { Clock, plus } from '#kernel';
import { z } from 'zod';
import { LIFETIMES, OAuthError } from '#oauth';
import { hashOf, newSecret, sameSecret } from '#identity';

/** An authorization that a browser set out for. The document's id is the hash of its `state`. */
const storedAttempt = z.object({
  /** Hash of the id of that browser: no other one may go on with it. */
  browser: z.string(),
  /** PKCE's secret; it leaves the server only towards the token endpoint (RFC 7636 §4.1). */
  verifier: z.string(),
  /** Hash of the code it came back with; null until it did. */
  code: z.string().nullable(),
});
type Attempt = z.infer<typeof storedAttempt>;

/** How long (ms) an attempt lives: an authorization request that it leads to lives half of that. */
const LIFETIME = 2 * LIFETIMES.authorizationRequest;

/** What an authorization request takes along of an attempt. */
export interface BegunAttempt {
  readonly state: string;
  readonly challenge: string;
}

/** Who comes back, from which attempt. */
export interface Return {
  readonly browserId: string | null;
  readonly state: string;
}

/** The authorizations under way in the playground: each goes one way, once, in one browser. */
@Injectable()
export class Attempts implements OnModuleInit {
  private readonly stored: Collection<Attempt>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(documents, { name: 'playground-attempts', indexes: [] }, storedAttempt);
  }

  onModuleInit(): Promise<void> {
    return this.stored.prepare();
  }

  async begin(browserId: string): Promise<BegunAttempt> {
    const state = newSecret();
    const verifier = newSecret();
    const attempt = { browser: hashOf(browserId), verifier, code: null };
    await this.stored.insert(hashOf(state), attempt, { expiresAt: plus(this.clock.now(), LIFETIME) });
    return { state, challenge: hashOf(verifier) }; // S256 is what our hash is (RFC 7636 §4.2)
  }

  /** The browser came back with a code. @throws OAuthError `authorization_request_gone` where not from here, or not for the first time. */
  async arrive(from: Return, code: string): Promise<void> {
    const attempt = await this.find(from);
    const isFirst = attempt.body.code === null;
    if (!isFirst || !(await this.stored.replace(attempt, { ...attempt.body, code: hashOf(code) }))) throw gone();
  }

  /** The browser came back with an error: that was all. @throws OAuthError `authorization_request_gone` */
  async fail(from: Return): Promise<void> {
    const attempt = await this.find(from);
    if (attempt.body.code !== null || !(await this.stored.delete(attempt.id, attempt.version))) throw gone();
  }

  /** Takes the verifier for the code that the attempt came back with; nobody can again. @throws OAuthError `authorization_request_gone` */
  async take(from: Return, code: string): Promise<string> {
    const { id, version, body } = await this.find(from);
    if (body.code === null || !sameSecret(body.code, hashOf(code))) throw gone();
    if (!(await this.stored.delete(id, version))) throw gone();
    return body.verifier;
  }

  private async find({ browserId, state }: Return): Promise<Document<Attempt>> {
    const attempt = await this.stored.get(hashOf(state));
    if (!attempt || browserId === null || !sameSecret(attempt.body.browser, hashOf(browserId))) throw gone();
    return attempt;
  }
}

const gone = (): OAuthError => new OAuthError('authorization_request_gone');
