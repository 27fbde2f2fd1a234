import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  API,
  ApiErrors,
  CurrentCaller,
  CurrentRequest,
  LimitedBy,
  type RequestContext,
  RequireScopes,
  WithoutWarnings,
} from '#http';
import type { Caller } from '#kernel';
import { Orders } from '#order';
import { ticketCalendar } from './ticket-calendar.js';
import { TICKET_WEIGHT, ticketOf } from './ticket-pdf.js';

export const CALENDAR = 'text/calendar; charset=utf-8';

@ApiTags('orders')
@Controller(`${API}/orders`)
export class TicketsController {
  constructor(private readonly orders: Orders) {}

  @Get(':id/ticket.pdf')
  @RequireScopes('receipt:read')
  @LimitedBy('operations', TICKET_WEIGHT)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getTicket', summary: 'Lê o bilhete em PDF' })
  @ApiOkResponse({ content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } })
  @WithoutWarnings()
  @ApiErrors('ticket_not_found')
  async pdf(@Param('id') id: string, @CurrentRequest() { caller, urls }: RequestContext): Promise<StreamableFile> {
    const order = await this.orders.paid(id, caller.holder);
    return pdfFile(await ticketOf(this.orders, order, { reader: caller, urls }));
  }

  @Get(':id/ticket.ics')
  @RequireScopes('receipt:read')
  @Header('cache-control', 'no-store')
  @Header('content-type', CALENDAR)
  @ApiOperation({ operationId: 'getTicketCalendar', summary: 'Lê o voo do bilhete como evento de calendário' })
  @ApiOkResponse({ content: { 'text/calendar': { schema: { type: 'string' } } } })
  @WithoutWarnings()
  @ApiErrors('ticket_not_found')
  async calendar(@Param('id') id: string, @CurrentCaller() { holder }: Caller): Promise<string> {
    return ticketCalendar(this.orders, await this.orders.paid(id, holder));
  }
}

export const pdfFile = (ticket: Buffer): StreamableFile =>
  new StreamableFile(ticket, { type: 'application/pdf', disposition: 'inline; filename="bilhete.pdf"' });
