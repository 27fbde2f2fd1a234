import { Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentVisit, FormFields, type Parameters, type Visit } from '#identity';
import { type AgentListItem, Agents, MandatesOfAgent } from '#mandate';
import { RevokeAgent } from '#oauth';
import type { Page, SeeOther } from '#site';
import { AGENTS } from '../layout/account-page.js';
import { requestedPage } from '../../page-parts.js';
import { AgentNames } from '../layout/agent-names.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { AT_ONCE, chosenIn, idleAgentsPage, idleBefore, TO_IDLE } from './idle-agents.js';

/** `{site_url}/conta/sem-uso`: agents that were let in and never had a mandate, removed together. */
@AccountPages('conta/sem-uso')
export class IdleAgentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly agents: Agents,
    private readonly granted: MandatesOfAgent,
    private readonly names: AgentNames,
  ) {}

  @Get()
  @IsAbout(() => TO_IDLE)
  async ask(@CurrentVisit() visit: Visit): Promise<Page> {
    const agents = await this.idle(visit);
    const nameOf = await this.names.ofAll(visit.holder, agents);
    return idleAgentsPage({ ...visit, agents, nameOf });
  }

  /** Who was given a mandate since the page was made is no longer among them, and stays. */
  @Post()
  @IsAbout(() => TO_IDLE)
  async remove(@CurrentVisit() visit: Visit, @FormFields() fields: Parameters): Promise<SeeOther> {
    const { holder, context } = visit;
    const idle = await this.idle(visit);
    for (const clientId of chosenIn(idle, (field) => fields.entered(field)))
      await this.commands.execute(new RevokeAgent(holder, clientId, context));
    return { location: `${AGENTS.path}?feito=removidos` };
  }

  private async idle({ holder, now }: Visit): Promise<readonly AgentListItem[]> {
    const { items } = await this.agents.ofTraveller(holder, requestedPage(undefined, AT_ONCE));
    return this.granted.withoutAny(items, idleBefore(now));
  }
}
