import { Injectable } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { Clock, plus } from '#kernel';
import { OAuthError } from '../oauth-error.js';
import { LIFETIMES } from '../oauth-settings.js';
import { hashOf, newSecret } from '#identity';
import { type AuthorizationRequest, storedAuthorizationRequest } from './authorization-request.js';

/** The authorization requests that wait for a traveller: a quarter of an hour, each decided once. */
@Injectable()
export class AuthorizationRequests {
  private readonly stored: Collection<AuthorizationRequest>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(
      documents,
      { name: 'authorization-requests', indexes: [] },
      storedAuthorizationRequest,
    );
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Keeps a request; answers its id. */
  async keep(request: AuthorizationRequest): Promise<string> {
    const id = newSecret();
    await this.stored.insert(hashOf(id), request, {
      expiresAt: plus(this.clock.now(), LIFETIMES.authorizationRequest),
    });
    return id;
  }

  /** @throws OAuthError `authorization_request_gone` where it is unknown, decided or expired. */
  async find(id: string): Promise<AuthorizationRequest> {
    const document = await this.stored.get(hashOf(id));
    if (!document) throw new OAuthError('authorization_request_gone');
    return document.body;
  }

  /** Takes a request to decide it; nobody can take it again. @throws OAuthError `authorization_request_gone` */
  async take(id: string): Promise<AuthorizationRequest> {
    const request = await this.find(id);
    if (!(await this.stored.delete(hashOf(id)))) throw new OAuthError('authorization_request_gone');
    return request;
  }
}
