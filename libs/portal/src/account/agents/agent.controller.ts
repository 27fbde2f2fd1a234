import { Get, Optional, Param, Query } from '@nestjs/common';
import { Agents, MandatePurposes, Mandates, MandatesOfAgent } from '#mandate';
import { Orders } from '#order';
import type { Page } from '#site';
import { requestedPage } from '../../page-parts.js';
import { AgentNames } from '../layout/agent-names.js';
import { CurrentVisit, type Visit } from '#identity';
import { knownAgent } from '../limits/agent-limit.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { Endpoints } from '#outbox';
import { AgentTokens } from '../payment-tokens/agent-tokens.js';
import { agentPage, toAgent } from './agent.page.js';

/** `{site_url}/conta/agentes/{id}`: what one agent was granted, by whom and when, and what it did with it. */
@AccountPages('conta/agentes')
export class AgentController {
  constructor(
    private readonly mandates: Mandates,
    private readonly granted: MandatesOfAgent,
    private readonly orders: Orders,
    private readonly agents: Agents,
    private readonly names: AgentNames,
    private readonly purposes: MandatePurposes,
    private readonly endpoints: Endpoints,
    @Optional() private readonly tokens?: AgentTokens,
  ) {}

  @Get(':id')
  @IsAbout(toAgent)
  async show(
    @Param('id') clientId: string,
    @CurrentVisit() visit: Visit,
    @Query('cursor') given: unknown,
  ): Promise<Page> {
    const { holder } = visit;
    const delegation = await knownAgent(this.agents, { holder, clientId });
    const { cursor } = requestedPage(given, 0);
    const { items, nextCursor } = await this.granted.page({ holder, clientId }, cursor);
    const uses = await Promise.all(
      items.map(async ({ mandate, charges }) => ({
        mandate,
        purpose: await this.purposes.of(mandate.mandateId),
        orders: await Promise.all(charges.map(({ orderId }) => this.orders.get(orderId, holder))),
      })),
    );
    const spending = await this.mandates.spending(delegation);
    const name = await this.names.of({ holder, clientId });
    const isFirst = cursor === undefined;
    const webhooks = isFirst ? (await this.endpoints.everyOf({ holder, clientId })).map(({ body }) => body) : [];
    const takesTokens = (await this.tokens?.arePossible(clientId)) === true;
    return agentPage({
      ...visit,
      takesTokens,
      clientId,
      name,
      delegation,
      spending,
      uses,
      webhooks,
      isFirst,
      nextCursor,
    });
  }
}
