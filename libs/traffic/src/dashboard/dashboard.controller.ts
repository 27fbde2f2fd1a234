import { Controller, Get, Headers, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { asDomainError, reportError } from '#http';
import { Clock } from '#kernel';
import { sendAsset, sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GetAgentTraffic } from '../query/get-agent-traffic.query.js';
import { SCRIPT_ASSET, SCRIPT_NAME, STYLESHEET_ASSET, STYLESHEET_NAME } from './assets.js';
import { dashboardPage, failedPage, periodNamed, windowOf } from './dashboard.page.js';

/** `{site_url}/observability`: the figures of the endpoint as a page. */
@ApiExcludeController()
@Controller()
export class DashboardController {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  @Get('observability')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { url, urls } = request;
    // The query is read leniently: an odd or repeated parameter is no reason to show nothing.
    const period = periodNamed(new URL(url, urls.site).searchParams.get('periodo'));
    try {
      const query = new GetAgentTraffic(windowOf(period, this.clock.now()), {}, true);
      const { now, before } = await this.queries.execute(query);
      sendPage(reply, dashboardPage({ period, now, before }, urls));
    } catch (error) {
      const refusal = asDomainError(error);
      reportError(refusal, request);
      sendPage(reply, failedPage(refusal, period, urls, request.id));
    }
  }

  @Get(`assets/${SCRIPT_NAME}`)
  script(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, SCRIPT_ASSET, known);
  }

  @Get(`assets/${STYLESHEET_NAME}`)
  stylesheet(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    sendAsset(reply, STYLESHEET_ASSET, known);
  }
}
