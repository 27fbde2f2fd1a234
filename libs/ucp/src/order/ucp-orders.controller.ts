import { Controller, Get, Header, Param, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LimitedBy, Public } from '#http';
import { UcpRequests } from '../platform/ucp-requests.js';
import { SignedAnswer } from '../signing/signed-answer.js';
import { UcpErrors } from '../ucp-error.js';
import { ORDER } from '../versions.js';
import { UcpOrders } from './ucp-orders.js';

/** Orders by REST (UCP, Order Capability - REST Binding). */
@ApiExcludeController()
@Public()
@UcpErrors()
@Controller('ucp/v1/orders')
export class UcpOrdersController {
  constructor(
    private readonly requests: UcpRequests,
    private readonly orders: UcpOrders,
  ) {}

  @Get(':id')
  @Header('cache-control', 'no-store')
  @UseInterceptors(SignedAnswer)
  @LimitedBy('publicReads', 2)
  async get(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.orders.get(await this.requests.of(request, reply, ORDER), id);
  }
}
