import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Collection, type Document, Documents } from '#documents';
import { Clock, plus } from '#kernel';
import { z } from 'zod';
import { LIFETIMES, OAuthError } from '#oauth';
import { hashOf, newSecret, sameSecret } from '#identity';

/** An authorization that a browser began. The document's id is the hash of its `state`. */
const storedAttempt = z.object({
  /** Hash of the id of that browser. No other browser may continue it. */
  browser: z.string(),
  /** The secret of PKCE, which is sent to the token endpoint alone (RFC 7636 §4.1). */
  verifier: z.string(),
  /** Hash of the code that the browser came back with; null before that. */
  code: z.string().nullable(),
});
type Attempt = z.infer<typeof storedAttempt>;

/** The lifetime of an attempt (ms): twice that of the authorization request that it leads to. */
const LIFETIME = 2 * LIFETIMES.authorizationRequest;

export interface BegunAttempt {
  readonly state: string;
  readonly challenge: string;
}

/** The browser that comes back, and the attempt that it comes back from. */
export interface Return {
  readonly browserId: string | null;
  readonly state: string;
}

/** The pending authorizations of the playground. Each is used once, in one browser. */
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
    return { state, challenge: hashOf(verifier) }; // our hash is S256 (RFC 7636 §4.2)
  }

  /** The browser came back with a code. @throws OAuthError `authorization_request_gone` for an unknown or repeated return. */
  async arrive(from: Return, code: string): Promise<void> {
    const attempt = await this.find(from);
    const isFirst = attempt.body.code === null;
    if (!isFirst || !(await this.stored.replace(attempt, { ...attempt.body, code: hashOf(code) }))) throw gone();
  }

  /** The browser came back with an error, which ends the attempt. @throws OAuthError `authorization_request_gone` */
  async fail(from: Return): Promise<void> {
    const attempt = await this.find(from);
    if (attempt.body.code !== null || !(await this.stored.delete(attempt.id, attempt.version))) throw gone();
  }

  /** Takes the verifier for the code that the browser came back with. That is possible once. @throws OAuthError `authorization_request_gone` */
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
