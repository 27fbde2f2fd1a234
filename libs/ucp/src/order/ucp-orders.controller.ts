import { Controller, Get, Header, Param, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LimitedBy, Public } from '#http';
import type { Asking } from '../asking.js';
import { AskingFor } from '../platform/ucp-requests.js';
import { SignedAnswer } from '../signing/message-signer.js';
import { UcpErrors } from '../ucp-error.js';
import { ORDER } from '../versions.js';
import { UcpOrders } from './ucp-orders.js';

/** Orders by REST (UCP, Order Capability - REST Binding). */
@ApiExcludeController()
@Public()
@UcpErrors()
@Controller('ucp/v1/orders')
export class UcpOrdersController {
  constructor(private readonly orders: UcpOrders) {}

  @Get(':id')
  @Header('cache-control', 'no-store')
  @UseInterceptors(SignedAnswer)
  @LimitedBy('publicReads', 2)
  get(@AskingFor(ORDER) asking: Asking, @Param('id') id: string): Promise<object> {
    return this.orders.get(asking, id);
  }
}
