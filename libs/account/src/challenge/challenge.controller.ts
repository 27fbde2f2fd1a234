import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { Clock } from '#kernel';
import { decisionIn, formAbout, isRecent, LoginPages, PageErrorFilter, pathTo, sendOn, Visitors } from '#oauth';
import { DecideChallenge } from '#order';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotFound, notFoundPage } from '../layout/not-found.page.js';
import { toChallenge } from './challenge.page.js';
import { ChallengePages } from './challenge-pages.js';

/**
 * `{site_url}/desafios/{id}`: where the holder of an order, and nobody else, says whether it may be paid (consistency.md,
 * rule 10). Only the browser's own session counts, never a token.
 */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('desafios')
export class ChallengeController {
  constructor(
    private readonly pages: ChallengePages,
    private readonly logins: LoginPages,
    private readonly visitors: Visitors,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Get(':id')
  async show(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.visitors.of(request, reply);
    sendPage(reply, await this.pages.page(id, visitor, request.links));
  }

  @Post(':id')
  async decide(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const to = toChallenge(id);
    const decision = decisionIn(formAbout(to, request));
    const visitor = await this.visitors.of(request, reply);
    const { traveller } = visitor;
    if (traveller && !isRecent(traveller, this.clock.now())) {
      sendPage(reply, await this.logins.page(to, visitor, request.links));
      return;
    }
    try {
      // Where the session ended while the page stood there, the same address asks for the login.
      if (traveller) await this.commands.execute(decideChallenge(id, traveller.holder, decision, request.id));
      sendOn(reply, pathTo(to));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      sendPage(reply, notFoundPage(visitor, request.links));
    }
  }
}

/** The traveller's own act: no agent takes part in it. */
const decideChallenge = (id: string, holder: string, decision: 'approve' | 'deny', requestId: string) =>
  new DecideChallenge(id, holder, decision, {
    actor: { holder, clientId: null },
    correlationId: requestId,
    causationId: requestId,
  });
