import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { type ErrorFormat, ErrorsAs } from '#http';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageErrors, sendOn, Visitors } from '#identity';
import { AuthorizeEndpoint } from './authorize-endpoint.js';
import { RefusedByRedirect } from '../oauth-error.js';

/** The client learns by redirect why its authorization request was refused, as soon as its redirect URI is proven good. */
const authorizeErrors: ErrorFormat = (error, request) => {
  if (!(error instanceof RefusedByRedirect)) return pageErrors(error, request);
  const { location, cause } = error;
  return {
    status: 302,
    code: 'refused_by_redirect',
    cause,
    retryAfter: undefined,
    send: (reply) => {
      void reply.code(302).header('location', location).header('cache-control', 'no-store').send();
    },
  };
};

/** Where an agent sends its traveller. */
@ApiExcludeController()
@ErrorsAs(authorizeErrors)
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
