import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { decisionIn, PageErrorFilter } from '#identity';
import { DecideChallenge } from '#order';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathTo } from '../layout/return-targets.js';
import { Visits } from '../layout/visits.js';
import { toChallenge } from './challenge.page.js';
import { ChallengePages } from './challenge-pages.js';

/**
 * `{site_url}/desafios/{id}`: where the holder of an order, and nobody else, says whether it may be paid (docs/consistency.md,
 * rule 10).
 */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('desafios')
export class ChallengeController {
  constructor(
    private readonly visits: Visits,
    private readonly pages: ChallengePages,
    private readonly commands: CommandBus,
  ) {}

  @Get(':id')
  show(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.visits.show(toChallenge(id), request, reply, (visit) => this.pages.page(id, visit));
  }

  @Post(':id')
  decide(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const to = toChallenge(id);
    return this.visits.act(to, request, reply, async ({ holder, fields, context }) => {
      await this.commands.execute(new DecideChallenge(id, holder, decisionIn(fields), context));
      return pathTo(to);
    });
  }
}
