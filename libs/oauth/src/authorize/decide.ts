import { Injectable } from '@nestjs/common';
import { agencyDecider } from '#agency';
import { Aggregates } from '#event-store';
import { agencyStream } from '#events';
import type { Links } from '#http';
import { Ids, type Money } from '#kernel';
import { Grants } from '../grants/grants.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { IssueCode } from './issue-code.js';
import { codeResponse, errorResponse } from './redirect.js';

/** Whose decision it is, in which request. */
export interface DecidedBy {
  readonly holder: string;
  readonly httpRequestId: string;
  readonly links: Links;
}

/** What follows from a traveller's decision; both answer where the browser goes. Each request is decided once. */
@Injectable()
export class Decide {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly grants: Grants,
    private readonly aggregates: Aggregates,
    private readonly issueCode: IssueCode,
    private readonly ids: Ids,
  ) {}

  /**
   * The traveller lets the agent: it is authorized, a grant is open, and a code leads to it. `cap`: what it may spend in
   * all, null for no limit, undefined for what it was before.
   */
  async approve(
    requestId: string,
    { holder, httpRequestId, links }: DecidedBy,
    cap: Money | null | undefined,
  ): Promise<string> {
    const request = await this.requests.take(requestId);
    const { clientId, scopes, resources } = request;
    const grantId = this.ids.next();
    const agent = { holder, clientId, grantId, scopes };
    // One command for both, so that no agent is ever authorized without the cap it was authorized with.
    const command = { type: 'AuthorizeAgent', ...agent, ...(cap !== undefined && { cap }) } as const;
    const context = { actor: { holder, clientId }, correlationId: httpRequestId, causationId: httpRequestId };
    await this.aggregates.handle(agencyStream(holder, clientId), agencyDecider, command, context);
    await this.grants.open(grantId, { holder, clientId, scopes, resources });
    return codeResponse(request, links, await this.issueCode.issue(request, grantId));
  }

  /** The traveller does not; the client learns it. */
  async deny(requestId: string, { links }: DecidedBy): Promise<string> {
    return errorResponse(await this.requests.take(requestId), links, 'access_denied');
  }
}
