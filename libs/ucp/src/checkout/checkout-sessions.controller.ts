import { Body, Controller, Get, Header, HttpCode, Param, Post, Put, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LimitedBy, Public } from '#http';
import type { Asking } from '../asking.js';
import { parsedAs } from '../invalid-request.js';
import { UcpRequests } from '../platform/ucp-requests.js';
import { SignedAnswer } from '../signing/signed-answer.js';
import { UcpErrors } from '../ucp-error.js';
import { CHECKOUT } from '../versions.js';
import { CheckoutSessions } from './checkout-sessions.js';
import { checkoutForm, completionForm } from './session-requests.js';

/** Checkout sessions by REST (UCP, Checkout Capability - REST Binding). */
@ApiExcludeController()
@Public()
@UcpErrors()
@UseInterceptors(SignedAnswer)
@Controller('ucp/v1/checkout-sessions')
export class CheckoutSessionsController {
  constructor(
    private readonly requests: UcpRequests,
    private readonly sessions: CheckoutSessions,
  ) {}

  @Post()
  @HttpCode(201)
  @LimitedBy('publicReads', 5)
  async create(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const asking = await this.asking(request, reply);
    const answer = await this.sessions.create(asking, parsedAs(checkoutForm, body), { reply, key: keyOf(request) });
    // Where nothing of it is sold there is no session: an outcome, and no creation.
    if (!('id' in answer)) void reply.code(200);
    return answer;
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @LimitedBy('publicReads', 2)
  async get(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.sessions.get(await this.asking(request, reply), id);
  }

  @Put(':id')
  @LimitedBy('publicReads', 5)
  async update(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const asking = await this.asking(request, reply);
    return this.sessions.update(asking, id, parsedAs(checkoutForm, body), { reply, key: keyOf(request) });
  }

  @Post(':id/complete')
  @HttpCode(200)
  @LimitedBy('publicReads', 10)
  async complete(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const asking = await this.asking(request, reply);
    return this.sessions.complete(asking, id, parsedAs(completionForm, body), { reply, key: keyOf(request) });
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @LimitedBy('publicReads', 5)
  async cancel(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.sessions.cancel(await this.asking(request, reply), id, { reply, key: keyOf(request) });
  }

  private asking(request: FastifyRequest, reply: FastifyReply): Promise<Asking> {
    return this.requests.of(request, reply, CHECKOUT);
  }
}

const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key'];
  return Array.isArray(key) ? key.join(', ') : key;
};
