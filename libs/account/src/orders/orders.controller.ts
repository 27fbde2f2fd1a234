import { Controller, Get, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PageErrorFilter } from '#identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Visits } from '../layout/visits.js';
import { toOrder } from './order.page.js';
import { OrderPages } from './order-pages.js';

/** `{site_url}/conta/pedidos/{id}`: what was bought for a traveller, with the ticket and the receipt. */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('conta/pedidos')
export class OrdersController {
  constructor(
    private readonly visits: Visits,
    private readonly pages: OrderPages,
  ) {}

  @Get()
  list(@Query('cursor') cursor: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const to = { kind: 'account', id: 'orders' } as const;
    return this.visits.show(to, request, reply, (visit) => this.pages.list(visit, cursor));
  }

  @Get(':id')
  show(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.visits.show(toOrder(id), request, reply, (visit) => this.pages.page(id, visit));
  }
}
