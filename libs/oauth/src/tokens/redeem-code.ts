import { Injectable } from '@nestjs/common';
import type { Document } from '#documents';
import { hashOf, sameSecret } from '#identity';
import { Clock } from '#kernel';
import type { ProvenRequest } from '../clients/client-authentication.js';
import { type AuthorizationCode, AuthorizationCodes } from '../grants/authorization-codes.js';
import { ActiveGrants, type Grant } from '../grants/grants.js';
import { RevokeGrant } from '../grants/revoke-grant.js';
import { OAuthError } from '../oauth-error.js';
import type { CodeRequest } from './token-request.js';

export interface RedeemableCode {
  readonly code: Document<AuthorizationCode>;
  readonly grant: Document<Grant>;
}

/** The rules of redeeming a code (RFC 6749 §4.1.3; RFC 9700 §2.1.1): by its client, with its verifier, in time, once. */
@Injectable()
export class RedeemCode {
  constructor(
    private readonly codes: AuthorizationCodes,
    private readonly grants: ActiveGrants,
    private readonly revokeGrant: RevokeGrant,
    private readonly clock: Clock,
  ) {}

  /** The code this client may redeem; with verifier and key, a replay ends the grant. @throws OAuthError */
  async find(form: CodeRequest, sent: ProvenRequest): Promise<RedeemableCode> {
    const { code: text, code_verifier: verifier, redirect_uri: redirectUri } = form;
    const code = await this.codes.find(text);
    if (!code || code.body.clientId !== sent.client.clientId) throw new OAuthError('code_invalid');
    if (!isVerifierOf(code.body, verifier)) throw new OAuthError('code_invalid');
    if (code.body.dpopJkt !== undefined && code.body.dpopJkt !== sent.jkt) throw new OAuthError('dpop_key_wrong');
    if (code.body.redeemedAt !== null) return this.refuseReplay(code, sent);
    if (code.body.expiresAt <= this.clock.now()) throw new OAuthError('code_invalid');
    if (redirectUri !== undefined && redirectUri !== code.body.redirectUri) throw new OAuthError('code_invalid');
    const grant = await this.grants.find(code.body.grantId);
    if (!grant) throw new OAuthError('code_invalid');
    return { code, grant };
  }

  /** Uses up the code, whatever follows. The loser of a race counts as a replay. */
  async redeem(code: Document<AuthorizationCode>, sent: ProvenRequest): Promise<void> {
    if (!(await this.codes.redeem(code))) await this.refuseReplay(code, sent);
  }

  private async refuseReplay({ body }: Document<AuthorizationCode>, { cause }: ProvenRequest): Promise<never> {
    await this.revokeGrant.revoke(body.grantId, 'code_replayed', cause);
    throw new OAuthError('code_invalid');
  }
}

/** S256: the challenge is the verifier's SHA-256 in base64url (RFC 7636 §4.6). */
const isVerifierOf = ({ codeChallenge }: AuthorizationCode, verifier: string): boolean =>
  sameSecret(hashOf(verifier), codeChallenge);
