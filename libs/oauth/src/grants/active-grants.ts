import { Injectable } from '@nestjs/common';
import type { Document } from '#documents';
import { Aggregates } from '#event-store';
import { delegations } from '#delegation';
import { type Grant, Grants } from './grants.js';

/** The grants that tokens may still be issued under. */
@Injectable()
export class ActiveGrants {
  constructor(
    private readonly grants: Grants,
    private readonly aggregates: Aggregates,
  ) {}

  /**
   * The grant, or null where it is not active or its agent is not authorized any more. Revoking an agent revokes its
   * grants; one that outlived it, as a crash in between can leave it, is revoked here.
   *
   * @throws DomainError `service_unavailable`
   */
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
