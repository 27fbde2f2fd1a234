import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { delegations } from '#mandate';
import { Collection, type Document, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { hashOf, newSecret } from '#identity';
import { Clock, plus, type Scope, SCOPES } from '#kernel';
import { LIFETIMES } from '../oauth-settings.js';
import { storedDetail } from '../authorize/authorization-details.js';
import { RESOURCES } from '../requested-access.js';

/** Why a grant was revoked, and with it every token of it. */
const REVOCATIONS = [
  'code_replayed',
  'refresh_reused',
  'access_token_revoked',
  'refresh_token_revoked',
  'agent_revoked',
] as const;
export type GrantRevocation = (typeof REVOCATIONS)[number];

/** What a traveller granted one client, once: one document, so that rotation and revocation are one compare-and-set each. */
export const storedGrant = z.object({
  holder: z.string(),
  clientId: z.string(),
  /** The scopes that were granted. An access token may have fewer. */
  scopes: z.array(z.enum(SCOPES)).readonly(),
  /** The names of UCP by which its client knows some of them; absent: none. */
  ucpNames: z.array(z.string()).readonly().optional(),
  resources: z.array(z.enum(RESOURCES)).readonly(),
  details: z.array(storedDetail).readonly().default([]),
  authorizedAt: z.string(),
  /** Marks refresh tokens as issued under this grant, so that only those count as reused. */
  refreshKey: z.string(),
  /** Hash of the only valid refresh token; null until the code is redeemed. */
  refreshHash: z.string().nullable(),
  refreshExpiresAt: z.string().nullable(),
  /** The previous refresh token, and when it was rotated; null before the first rotation. */
  rotated: z.object({ hash: z.string(), at: z.string() }).nullable().default(null),
  /** Thumbprint of the key that its refresh token is bound to (RFC 9449 §5); absent: none. */
  jkt: z.string().optional(),
  generation: z.int().nonnegative(),
  revoked: z.object({ reason: z.enum(REVOCATIONS), at: z.string() }).nullable(),
});
export type Grant = z.infer<typeof storedGrant>;

export type Consent = Pick<Grant, 'holder' | 'clientId' | 'scopes' | 'resources'> &
  Partial<Pick<Grant, 'details' | 'ucpNames'>>;

/** How much longer than its code a grant lives (ms), so that a valid code always finds its grant. */
const SLACK = 60_000;

/** The grants: opened by a consent, renewed with each token, revoked by the traveller, the client or a replay. */
@Injectable()
export class Grants {
  private readonly stored: Collection<Grant>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    const spec = { name: 'grants', indexes: [{ fields: ['holder', 'clientId'] }, { fields: ['clientId'] }] };
    this.stored = new Collection(documents, spec, storedGrant);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Opens a grant, unless there is one of this id. Without a token it expires soon after its code. */
  async open(grantId: string, consent: Consent): Promise<void> {
    const now = this.clock.now();
    const grant: Grant = {
      details: [],
      ...consent,
      authorizedAt: now,
      refreshKey: newSecret(),
      refreshHash: null,
      refreshExpiresAt: null,
      rotated: null,
      generation: 0,
      revoked: null,
    };
    await this.stored.insertIfAbsent(grantId, grant, { expiresAt: plus(now, LIFETIMES.code + SLACK) });
  }

  /** The grant, or null where it is unknown, expired or revoked. */
  async active(grantId: string): Promise<Document<Grant> | null> {
    const document = await this.stored.get(grantId);
    return document && !document.body.revoked ? document : null;
  }

  /** Makes `refreshToken` the only valid one, bound to `jkt` or as before, by one compare-and-set. false: changed meanwhile. */
  async rotate(read: Document<Grant>, refreshToken: string, jkt?: string): Promise<boolean> {
    const now = this.clock.now();
    const { refreshHash, generation } = read.body;
    const refreshExpiresAt = plus(now, LIFETIMES.refreshToken);
    const grant: Grant = {
      ...read.body,
      refreshHash: hashOf(refreshToken),
      refreshExpiresAt,
      rotated: refreshHash === null ? null : { hash: refreshHash, at: now },
      generation: generation + 1,
      ...(jkt !== undefined && { jkt }),
    };
    return this.stored.replace(read, grant, { expiresAt: refreshExpiresAt });
  }

  /** Deletes every grant of a client or holder that was removed; returns how many there were. */
  forgetAll(of: 'clientId' | 'holder', id: string): Promise<number> {
    return this.stored.deleteAll(of, id);
  }

  /** Deletes all grants; returns how many were in force, and how many of those had a refresh token. */
  async forgetEvery(): Promise<{ readonly grants: number; readonly refreshTokens: number }> {
    let [grants, refreshTokens] = [0, 0];
    for await (const { body } of this.stored.every()) {
      if (body.revoked) continue;
      grants += 1;
      if (body.refreshHash !== null) refreshTokens += 1;
    }
    await this.stored.clear();
    return { grants, refreshTokens };
  }

  async revokeAll(holder: string, clientId: string, reason: GrantRevocation): Promise<void> {
    for await (const { id } of this.ofAgent(holder, clientId)) await this.revoke(id, reason);
  }

  async have(scope: Scope, holder: string, clientId: string): Promise<boolean> {
    for await (const { body } of this.ofAgent(holder, clientId))
      if (!body.revoked && body.scopes.includes(scope)) return true;
    return false;
  }

  private ofAgent(holder: string, clientId: string): AsyncIterable<Document<Grant>> {
    const where = [
      { field: 'holder', equals: holder },
      { field: 'clientId', equals: clientId },
    ];
    return this.stored.all('holder', where);
  }

  /** Revokes a grant; answers it, or null where it was already revoked or gone. */
  revoke(grantId: string, reason: GrantRevocation): Promise<Grant | null> {
    const revoked = { reason, at: this.clock.now() };
    return this.stored.update(grantId, (grant) => (grant && !grant.revoked ? { ...grant, revoked } : null));
  }
}

@Injectable()
export class ActiveGrants {
  constructor(
    private readonly grants: Grants,
    private readonly aggregates: Aggregates,
  ) {}

  /** The grant, or null where it is inactive or its agent is not authorized; the latter is then revoked. @throws Unavailable */
  async find(grantId: string): Promise<Document<Grant> | null> {
    const grant = await this.grants.active(grantId);
    if (!grant) return null;
    const { holder, clientId } = grant.body;
    const { state: delegation } = await this.aggregates.load(delegations, { holder, clientId });
    if (delegation.status === 'authorized') return grant;
    await this.grants.revoke(grantId, 'agent_revoked');
    return null;
  }
}
