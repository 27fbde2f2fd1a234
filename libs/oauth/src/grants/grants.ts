import { Injectable } from '@nestjs/common';
import { Collection, type Document, Documents, type Query } from '#documents';
import { Clock, plus } from '#kernel';
import { LIFETIMES } from '../oauth-settings.js';
import { hashOf, newSecret } from '#identity';
import { type Grant, type GrantRevocation, storedGrant } from './grant.js';

/** What a traveller consents to. */
export type Consent = Pick<Grant, 'holder' | 'clientId' | 'scopes' | 'resources'>;

/** A grant may wait this much longer than its code, so that it is still there whenever the code is (ms). */
const SLACK = 60_000;

/** The grants: opened at consent, renewed at each token, dead after a replay. */
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

  /** Opens a grant; without a token it expires soon after its code. */
  async open(grantId: string, consent: Consent): Promise<void> {
    const now = this.clock.now();
    const grant: Grant = {
      ...consent,
      authorizedAt: now,
      refreshKey: newSecret(),
      refreshHash: null,
      refreshExpiresAt: null,
      rotated: null,
      generation: 0,
      dead: null,
    };
    await this.stored.insert(grantId, grant, { expiresAt: plus(now, LIFETIMES.code + SLACK) });
  }

  /** The grant, or null where it is unknown, expired or dead. */
  async alive(grantId: string): Promise<Document<Grant> | null> {
    const document = await this.stored.get(grantId);
    return document && !document.body.dead ? document : null;
  }

  /**
   * Makes `refreshToken` the one good refresh token, in one compare-and-set; answers whether the grant was still as it
   * was read: otherwise it has died or was rotated meanwhile.
   */
  async rotate(read: Document<Grant>, refreshToken: string): Promise<boolean> {
    const now = this.clock.now();
    const { refreshHash, generation } = read.body;
    const refreshExpiresAt = plus(now, LIFETIMES.refreshToken);
    const grant: Grant = {
      ...read.body,
      refreshHash: hashOf(refreshToken),
      refreshExpiresAt,
      rotated: refreshHash === null ? null : { hash: refreshHash, at: now },
      generation: generation + 1,
    };
    return this.stored.replace(read, grant, { expiresAt: refreshExpiresAt });
  }

  /** Forgets every grant of a client or holder that is no more, and so ends it; answers how many there were. */
  forgetAll(of: 'clientId' | 'holder', id: string): Promise<number> {
    return this.stored.deleteAll(of, id);
  }

  /** Ends every grant of an agent of this holder for ever. */
  async killAll(holder: string, clientId: string, reason: GrantRevocation): Promise<void> {
    const where = [
      { field: 'holder', equals: holder },
      { field: 'clientId', equals: clientId },
    ];
    const query: Query = { where, sort: { field: 'holder', direction: 'ascending' }, limit: 100 };
    let page = await this.stored.find(query);
    while (page.length > 0) {
      for (const { id } of page) await this.kill(id, reason);
      const last = page.at(-1);
      page = last ? await this.stored.find({ ...query, after: { value: holder, id: last.id } }) : [];
    }
  }

  /** Ends a grant for ever; answers it, or null where it was dead or gone already. */
  async kill(grantId: string, reason: GrantRevocation): Promise<Grant | null> {
    for (;;) {
      const document = await this.alive(grantId);
      if (!document) return null;
      const { body } = document;
      if (await this.stored.replace(document, { ...body, dead: { reason, at: this.clock.now() } })) return body;
    }
  }
}
