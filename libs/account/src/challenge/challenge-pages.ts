import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetMandate } from '#mandate';
import { GetChallenge } from '#order';
import type { Page } from '#site';
import { AgentNames } from '../layout/agent-names.js';
import type { Visit } from '../layout/visits.js';
import { challengePage } from './challenge.page.js';

/** What a traveller is shown of a challenge. */
@Injectable()
export class ChallengePages {
  constructor(
    private readonly queries: QueryBus,
    private readonly agents: AgentNames,
  ) {}

  /** @throws DomainError `order_not_found` to anybody but its holder, as for an id that nobody knows */
  async page(orderId: string, { holder, visitor, now, urls }: Visit): Promise<Page> {
    const challenge = await this.queries.execute(new GetChallenge(orderId, holder));
    const { limit, remaining, duration } = await this.queries.execute(
      new GetMandate(challenge.mandateId, holder, urls),
    );
    const agent = await this.agents.of(challenge.clientId);
    const mandate = { limit, remaining, expiresAt: duration.expiresAt };
    return challengePage({ challenge, agent, mandate, visitor, now, urls });
  }
}
