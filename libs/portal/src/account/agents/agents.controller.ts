import { Get, Optional, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentVisit, type Visit } from '#identity';
import { Agents, Mandates, MandatesOfAgent } from '#mandate';
import { RevokeAgent } from '#oauth';
import { Orders } from '#order';
import type { Page, SeeOther } from '#site';
import { requestedPage } from '../../page-parts.js';
import { AgentNames } from '../layout/agent-names.js';
import { afterChange, changeIn, knownAgent, spendingsOf, toAgentEnd } from '../limits/agent-limit.js';
import { idleBefore } from '../overview/idle-agents.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { TravellerWallet } from '../wallet/traveller-wallet.js';
import { agentEndPage } from './agent-end.page.js';
import { agentsPage } from './agents.page.js';

const AGENTS_A_PAGE = 20;
/** The newest orders and mandates of all agents, in which each one's last is looked for. */
const LOOKED_AT = 100;

/** `{site_url}/conta/agentes`: whom a traveller lets in, what each did last, and its revocation. */
@AccountPages('conta/agentes')
export class AgentsController {
  constructor(
    private readonly mandates: Mandates,
    private readonly granted: MandatesOfAgent,
    private readonly orders: Orders,
    private readonly commands: CommandBus,
    private readonly agents: Agents,
    private readonly names: AgentNames,
    @Optional() private readonly wallet?: TravellerWallet,
  ) {}

  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'agents' }))
  async list(
    @CurrentVisit() visit: Visit,
    @Query('cursor') cursor: unknown,
    @Query('feito') done: unknown,
    @Query('agente') agent: unknown,
  ): Promise<Page> {
    const { holder } = visit;
    const newest = requestedPage(undefined, LOOKED_AT);
    const [agents, orders, mandates] = await Promise.all([
      this.agents.ofTraveller(holder, requestedPage(cursor, AGENTS_A_PAGE)),
      this.orders.list(holder, undefined, newest),
      this.mandates.list(holder, undefined, newest),
    ]);
    const nameOf = await this.names.ofAll(holder, agents.items);
    return agentsPage({
      ...visit,
      agents,
      orders,
      mandates: mandates.items,
      nameOf,
      spendings: await spendingsOf(this.mandates, agents.items),
      idle: (await this.granted.withoutAny(agents.items, idleBefore(visit.now))).length,
      hasWallet: this.wallet?.isThere === true,
      isRemoved: done === 'removidos',
      change: changeIn(done, agent),
    });
  }

  @Get(':id/revogar')
  @IsAbout(toAgentEnd)
  async confirm(@Param('id') clientId: string, @CurrentVisit() visit: Visit): Promise<Page> {
    const { holder } = visit;
    const delegation = await knownAgent(this.agents, { holder, clientId });
    return agentEndPage({ ...visit, clientId, name: await this.names.of({ holder, clientId }), delegation });
  }

  @Post(':id/revogar')
  @IsAbout(toAgentEnd)
  async revoke(@Param('id') clientId: string, @CurrentVisit() { holder, context }: Visit): Promise<SeeOther> {
    await knownAgent(this.agents, { holder, clientId });
    await this.commands.execute(new RevokeAgent(holder, clientId, context));
    return afterChange({ what: 'revogado', clientId });
  }
}
