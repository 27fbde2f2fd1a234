import { Controller, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PageErrorFilter } from '#identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Visits } from '../layout/visits.js';
import { OverviewPages } from './overview-pages.js';

/** `{site_url}/conta`: what a traveller lets agents do, and what came of it. */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('conta')
export class OverviewController {
  constructor(
    private readonly visits: Visits,
    private readonly pages: OverviewPages,
  ) {}

  @Get()
  show(@Query('cursor') cursor: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const to = { kind: 'account', id: 'overview' } as const;
    return this.visits.show(to, request, reply, (visit) => this.pages.page(visit, cursor));
  }
}
