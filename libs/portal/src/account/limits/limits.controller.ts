import { Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentVisit, FormFields, type Parameters, type Visit } from '#identity';
import { Agents, MandatePurposes, Mandates, SetApprovalMode, SetSpendingCap } from '#mandate';
import { capIn, modeEntered } from '#oauth';
import type { Page, SeeOther } from '#site';
import { requestedPage } from '../../page-parts.js';
import { agentCapPage } from '../agents/agent-end.page.js';
import { AgentNames } from '../layout/agent-names.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import {
  afterChange,
  type AgentChange,
  type CapEntry,
  changeIn,
  knownAgent,
  spendingsOf,
  toAgentCap,
} from './agent-limit.js';
import { limitsPage } from './limits.page.js';

/** How many agents and mandates of a kind the page shows. */
const MANY = 20;

interface Asked {
  readonly agents?: unknown;
  readonly ended?: unknown;
  /** What was written as a cap and is none. */
  readonly unreadable?: CapEntry;
  readonly change?: AgentChange | null;
}

/** `{site_url}/conta/limites`: what each agent may spend in all, its change, and the mandates that count against it. */
@AccountPages('conta')
export class LimitsController {
  constructor(
    private readonly mandates: Mandates,
    private readonly commands: CommandBus,
    private readonly agents: Agents,
    private readonly names: AgentNames,
    private readonly purposes: MandatePurposes,
  ) {}

  @Get('limites')
  @IsAbout(() => ({ kind: 'account', id: 'limits' }))
  show(
    @CurrentVisit() visit: Visit,
    @Query('agentes') agents: unknown,
    @Query('cursor') ended: unknown,
    @Query('feito') done: unknown,
    @Query('agente') agent: unknown,
  ): Promise<Page> {
    return this.page(visit, { agents, ended, change: changeIn(done, agent) });
  }

  @Post('agentes/:id/limite')
  @IsAbout(toAgentCap)
  async limit(
    @Param('id') clientId: string,
    @CurrentVisit() visit: Visit,
    @FormFields() fields: Parameters,
  ): Promise<Page | SeeOther> {
    const { holder, context } = visit;
    const delegation = await knownAgent(this.agents, { holder, clientId });
    const entry = fields.entered('cap');
    const cap = entry === undefined ? undefined : capIn(entry);
    if (cap === 'unreadable') return this.page(visit, { unreadable: { clientId, entry: entry ?? '' } });
    if (cap && fields.entered('confirm') === undefined) {
      const ended = await this.mandates.endedUnder(delegation, cap);
      const name = await this.names.of({ holder, clientId });
      if (ended.length > 0) return agentCapPage({ ...visit, clientId, name, consequences: { cap, ended } });
    }
    if (cap !== undefined) await this.commands.execute(new SetSpendingCap(holder, clientId, cap, context));
    return afterChange({ what: 'limite', clientId });
  }

  @Post('agentes/:id/mandatos')
  @IsAbout(toAgentCap)
  async mode(
    @Param('id') clientId: string,
    @CurrentVisit() { holder, context }: Visit,
    @FormFields() fields: Parameters,
  ): Promise<SeeOther> {
    await knownAgent(this.agents, { holder, clientId });
    const asksFirst = modeEntered(fields);
    if (asksFirst !== undefined) await this.commands.execute(new SetApprovalMode(holder, clientId, asksFirst, context));
    return afterChange({ what: 'mandatos', clientId });
  }

  /** @throws DomainError `invalid_cursor` */
  private async page(visit: Visit, { agents: after, ended: older, unreadable, change }: Asked): Promise<Page> {
    const { holder } = visit;
    const [agents, waiting, open, ended] = await Promise.all([
      this.agents.ofTraveller(holder, requestedPage(after, MANY)),
      this.mandates.list(holder, 'pending', requestedPage(undefined, 1)),
      this.mandates.list(holder, 'open', requestedPage(undefined, MANY)),
      this.mandates.list(holder, 'ended', requestedPage(older, MANY)),
    ]);
    const listed = [...open.items, ...ended.items];
    return limitsPage({
      ...visit,
      agents,
      spendings: await spendingsOf(this.mandates, agents.items),
      waiting: waiting.count,
      open,
      ended,
      isOlder: older !== undefined,
      nameOf: await this.names.ofAll(holder, [...agents.items, ...listed]),
      purposes: await this.purposes.ofAll(listed.map(({ mandateId }) => mandateId)),
      unreadable: unreadable ?? null,
      change: change ?? null,
    });
  }
}
