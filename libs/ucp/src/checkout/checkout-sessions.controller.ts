import { Body, Controller, Get, Header, HttpCode, Param, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LimitedBy, Public } from '#http';
import type { Asking } from '../asking.js';
import { parsedAs } from '../invalid-request.js';
import { AskingFor } from '../platform/ucp-requests.js';
import { SignedAnswer } from '../signing/message-signer.js';
import { UcpErrors } from '../ucp-error.js';
import { CHECKOUT } from '../versions.js';
import { CheckoutSessions } from './checkout-sessions.js';
import { RepeatableWrite, type Write } from './repeatable-writes.js';
import { checkoutForm, completionForm } from './session-requests.js';

/** Checkout sessions by REST (UCP, Checkout Capability - REST Binding). */
@ApiExcludeController()
@Public()
@UcpErrors()
@UseInterceptors(SignedAnswer)
@Controller('ucp/v1/checkout-sessions')
export class CheckoutSessionsController {
  constructor(private readonly sessions: CheckoutSessions) {}

  @Post()
  @HttpCode(201)
  @LimitedBy('publicReads', 5)
  async create(
    @AskingFor(CHECKOUT) asking: Asking,
    @Body() body: unknown,
    @RepeatableWrite() write: Write,
  ): Promise<object> {
    const answer = await this.sessions.create(asking, parsedAs(checkoutForm, body), write);
    // Where nothing of it is sold there is no session: an outcome, and no creation.
    if (!('id' in answer)) void write.reply.code(200);
    return answer;
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @LimitedBy('publicReads', 2)
  get(@AskingFor(CHECKOUT) asking: Asking, @Param('id') id: string): Promise<object> {
    return this.sessions.get(asking, id);
  }

  @Put(':id')
  @LimitedBy('publicReads', 5)
  async update(
    @AskingFor(CHECKOUT) asking: Asking,
    @Param('id') id: string,
    @Body() body: unknown,
    @RepeatableWrite() write: Write,
  ): Promise<object> {
    return this.sessions.update(asking, id, parsedAs(checkoutForm, body), write);
  }

  @Post(':id/complete')
  @HttpCode(200)
  @LimitedBy('publicReads', 10)
  async complete(
    @AskingFor(CHECKOUT) asking: Asking,
    @Param('id') id: string,
    @Body() body: unknown,
    @RepeatableWrite() write: Write,
  ): Promise<object> {
    return this.sessions.complete(asking, id, parsedAs(completionForm, body), write);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @LimitedBy('publicReads', 5)
  cancel(
    @AskingFor(CHECKOUT) asking: Asking,
    @Param('id') id: string,
    @RepeatableWrite() write: Write,
  ): Promise<object> {
    return this.sessions.cancel(asking, id, write);
  }
}
