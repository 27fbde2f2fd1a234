import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { SetSpendingCap } from '#delegation';
import { PageErrorFilter } from '#identity';
import { capIn, RevokeAgent } from '#oauth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT } from '../layout/account-page.js';
import { Visits } from '../layout/visits.js';
import { OverviewPages } from '../overview/overview-pages.js';
import { anchorOf, toAgentCap, toAgentEnd } from './agent-card.js';
import { AgentPages } from './agent-pages.js';

/** What a traveller changes about an agent: what it may spend in all, and whether it may act at all. */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('conta/agentes/:id')
export class AgentsController {
  constructor(
    private readonly visits: Visits,
    private readonly overview: OverviewPages,
    private readonly pages: AgentPages,
    private readonly commands: CommandBus,
  ) {}

  @Post('limite')
  limit(@Param('id') clientId: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.visits.act(toAgentCap(clientId), request, reply, async (deed) => {
      const { holder, fields, context } = deed;
      await this.pages.known(holder, clientId);
      const entry = fields.entered('cap');
      const cap = entry === undefined ? undefined : capIn(entry);
      if (cap === 'unreadable') return this.overview.page(deed, undefined, { clientId, entry: entry ?? '' });
      if (cap !== undefined) await this.commands.execute(new SetSpendingCap(holder, clientId, cap, context));
      return `${ACCOUNT.path}#${anchorOf(clientId)}`;
    });
  }

  @Get('revogar')
  confirm(@Param('id') clientId: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.visits.show(toAgentEnd(clientId), request, reply, (visit) => this.pages.endPage(clientId, visit));
  }

  @Post('revogar')
  revoke(@Param('id') clientId: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.visits.act(toAgentEnd(clientId), request, reply, async ({ holder, context }) => {
      await this.pages.known(holder, clientId);
      await this.commands.execute(new RevokeAgent(holder, clientId, context));
      return `${ACCOUNT.path}#${anchorOf(clientId)}`;
    });
  }
}
