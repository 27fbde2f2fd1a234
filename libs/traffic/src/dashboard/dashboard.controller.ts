import { Controller, Get, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { asDomainError, LimitedBy, reportError } from '#http';
import { Clock } from '#kernel';
import { AnswersPages, type Asset, type Page } from '#site';
import type { FastifyRequest } from 'fastify';
import { GetAgentTraffic } from '../query/get-agent-traffic.query.js';
import { SCRIPT_ASSET, SCRIPT_NAME, STYLESHEET_ASSET, STYLESHEET_NAME } from './assets.js';
import { dashboardPage, failedPage, periodNamed, windowOf } from './dashboard.page.js';

/** `{site_url}/observability`: the figures of the endpoint as a page. */
@AnswersPages()
@Controller()
export class DashboardController {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  @Get('observability')
  @LimitedBy('publicReads', 20)
  async show(@Req() request: FastifyRequest): Promise<Page> {
    const { url, urls } = request;
    // The query is read leniently: an odd or repeated parameter is no reason to show nothing.
    const period = periodNamed(new URL(url, urls.site).searchParams.get('periodo'));
    try {
      const query = new GetAgentTraffic(windowOf(period, this.clock.now()), {}, request.address, true);
      return dashboardPage({ period, ...(await this.queries.execute(query)) }, urls);
    } catch (thrown) {
      const error = asDomainError(thrown);
      reportError(error, request);
      return failedPage(error, period, urls, request.id);
    }
  }

  @Get(`assets/${SCRIPT_NAME}`)
  script(): Asset {
    return SCRIPT_ASSET;
  }

  @Get(`assets/${STYLESHEET_NAME}`)
  stylesheet(): Asset {
    return STYLESHEET_ASSET;
  }
}
