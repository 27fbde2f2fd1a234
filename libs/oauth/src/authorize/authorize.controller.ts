import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageErrorFilter, sendOn, Visitors } from '#identity';
import { AuthorizeEndpoint } from './authorize-endpoint.js';
import { RedirectFilter } from './redirect.filter.js';

/** Where an agent sends its traveller. */
@ApiExcludeController()
@UseFilters(PageErrorFilter, RedirectFilter)
@Controller('oauth')
export class AuthorizeController {
  constructor(
    private readonly endpoint: AuthorizeEndpoint,
    private readonly visitors: Visitors,
  ) {}

  @Get('authorize')
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // The raw query: a parsed one would hide which parameters are repeated.
    const { searchParams } = new URL(request.url, request.urls.auth);
    const requestId = await this.endpoint.take(searchParams, request.urls);
    await this.show(requestId, request, reply);
  }

  /** The same request after a login or log-out. */
  @Get('consent/:request')
  async consent(
    @Param('request') requestId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.show(requestId, request, reply);
  }

  private async show(requestId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const visitor = await this.visitors.of(request, reply);
    const next = await this.endpoint.next(requestId, { visitor, urls: request.urls, cause: request.cause });
    if ('page' in next) sendPage(reply, next.page);
    else sendOn(reply, next.location);
  }
}
