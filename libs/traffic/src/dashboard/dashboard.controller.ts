import { Controller, Get, Req } from '@nestjs/common';
import { ErrorsAs, LimitedBy } from '#http';
import { Clock } from '#kernel';
import { AnswersPages, type Asset, type Page } from '#site';
import type { FastifyRequest } from 'fastify';
import { AgentTrafficReader } from '../query/agent-traffic.reader.js';
import {
  dashboardErrors,
  dashboardPage,
  SCRIPT_ASSET,
  SCRIPT_NAME,
  STYLESHEET_ASSET,
  STYLESHEET_NAME,
} from './dashboard.page.js';
import { askedIn, periodSince, unknownIn, windowOf } from './asked.js';

/** `{site_url}/observability`: the figures of the endpoint as a page. */
@AnswersPages()
@Controller()
@ErrorsAs(dashboardErrors)
export class DashboardController {
  constructor(
    private readonly traffic: AgentTrafficReader,
    private readonly clock: Clock,
  ) {}

  @Get('observability')
  @LimitedBy('publicReads', 20)
  async show(@Req() request: FastifyRequest): Promise<Page> {
    const { url, urls } = request;
    const now = this.clock.now();
    const asked = askedIn(url, urls, periodSince(await this.traffic.since(), now));
    const { filter } = asked;
    const window = windowOf(asked, now);
    const read = await this.traffic.read({ window, filter, caller: request.address, isCompared: true });
    return dashboardPage({ asked, unknown: unknownIn(url, urls), ...read }, urls);
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
