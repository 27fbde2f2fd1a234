import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { RevokeMandate } from '#mandate';
import { PageErrorFilter } from '#identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathTo } from '../layout/return-targets.js';
import { Visits } from '../layout/visits.js';
import { toMandate, toMandateEnd } from './mandate.page.js';
import { MandatePages } from './mandate-pages.js';

/** `{site_url}/conta/mandatos/{id}`: what a traveller granted, what became of it, and the way to end it. */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('conta/mandatos')
export class MandatesController {
  constructor(
    private readonly visits: Visits,
    private readonly pages: MandatePages,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  list(@Query('cursor') cursor: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const to = { kind: 'account', id: 'mandates' } as const;
    return this.visits.show(to, request, reply, (visit) => this.pages.list(visit, cursor));
  }

  @Get(':id')
  show(
    @Param('id') id: string,
    @Query('cursor') cursor: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.visits.show(toMandate(id), request, reply, (visit) => this.pages.page(id, visit, cursor));
  }

  @Get(':id/revogar')
  confirm(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.visits.show(toMandateEnd(id), request, reply, (visit) => this.pages.endPage(id, visit));
  }

  @Post(':id/revogar')
  revoke(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.visits.act(toMandateEnd(id), request, reply, async ({ holder, urls, context }) => {
      await this.commands.execute(new RevokeMandate(id, holder, urls, context));
      return pathTo(toMandate(id));
    });
  }
}
