import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Links } from '#http';
import { Clock } from '#kernel';
import { GetMandate } from '#mandate';
import { Clients, LoginPages, type Visitor } from '#oauth';
import { GetChallenge } from '#order';
import type { Page } from '#site';
import { isNotFound, notFoundPage } from '../layout/not-found.page.js';
import { challengePage, toChallenge } from './challenge.page.js';

/** What a visitor is shown of a challenge. */
@Injectable()
export class ChallengePages {
  constructor(
    private readonly queries: QueryBus,
    private readonly clients: Clients,
    private readonly logins: LoginPages,
    private readonly clock: Clock,
  ) {}

  /** Nobody: the login. Its holder: the challenge. Anybody else: the same as for an id that nobody knows. */
  async page(orderId: string, visitor: Visitor, links: Links): Promise<Page> {
    if (visitor.traveller === null) return this.logins.page(toChallenge(orderId), visitor, links);
    const { holder } = visitor.traveller;
    try {
      const challenge = await this.queries.execute(new GetChallenge(orderId, holder));
      const { limit, remaining, duration } = await this.queries.execute(
        new GetMandate(challenge.mandateId, holder, links),
      );
      const client = await this.clients.find(challenge.clientId);
      const agent = { name: client?.name ?? challenge.clientId, pilot: client?.pilot ?? false };
      const mandate = { limit, remaining, expiresAt: duration.expiresAt };
      return challengePage({ challenge, agent, mandate, visitor, now: this.clock.now(), links });
    } catch (error) {
      if (isNotFound(error)) return notFoundPage(visitor, links);
      throw error;
    }
  }
}
