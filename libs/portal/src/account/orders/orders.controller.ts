import { Get, Header, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError } from '#kernel';
import { LimitedBy } from '#http';
import {
  Cancellations,
  CancellationUnderWay,
  CancelOrder,
  Challenges,
  isCancelling,
  isCharged,
  Orders,
  type QuotedCancellation,
  QuoteOver,
  receiptView,
} from '#order';
import type { Page, SeeOther } from '#site';
import { ticketCalendar } from '../../tickets/ticket-calendar.js';
import { CALENDAR, pdfFile } from '../../tickets/tickets.controller.js';
import { TICKET_WEIGHT, ticketOf } from '../../tickets/ticket-pdf.js';
import { Histories } from '../history/histories.js';
import { TRIPS } from '../layout/account-page.js';
import { AgentNames } from '../layout/agent-names.js';
import { CurrentVisit, FormFields, type Parameters, type Visit } from '#identity';
import { pathTo } from '../layout/return-targets.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { cancellationPage, toCancellation } from './cancellation.page.js';
import { orderPage, toOrder } from './order.page.js';

/** `{site_url}/conta/pedidos/{id}`: what was bought for a traveller, with the ticket and the receipt. */
@AccountPages('conta/pedidos')
export class OrdersController {
  constructor(
    private readonly orders: Orders,
    private readonly challenges: Challenges,
    private readonly cancellations: Cancellations,
    private readonly commands: CommandBus,
    private readonly names: AgentNames,
    private readonly histories: Histories,
  ) {}

  /** All of them are listed with the trips. */
  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'orders' }))
  list(@Query('cursor') cursor: unknown): SeeOther {
    const page = typeof cursor === 'string' ? `?cursor=${encodeURIComponent(cursor)}` : '';
    return { location: `${TRIPS.path}${page}` };
  }

  @Get(':id')
  @IsAbout(toOrder)
  async show(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page> {
    const { holder } = visit;
    const order = await this.orders.get(id, holder);
    const receipt = isCharged(order) ? receiptView(order, this.orders.locators) : null;
    const isChallenged = order.kind === 'pending' && order.challenge !== null;
    const challenge = isChallenged ? await this.challenges.get(id, holder) : null;
    const buyer = await this.orders.buyerName(id, holder);
    const people = await this.orders.travellers.of({ id, named: order.checkout.named }, order.checkout);
    const inTheWay = isCharged(order) ? await this.cancellations.inTheWay(order) : 'not_paid';
    const agent = await this.names.of(order.checkout);
    const integrity = await this.histories.integrityOf(`order-${id}`);
    const isWaiting = challenge?.status === 'waiting';
    return orderPage({ ...visit, order, receipt, buyer, people, integrity, agent, isWaiting, inTheWay });
  }

  @Get(':id/cancelar')
  @LimitedBy('publicReads', 5)
  @IsAbout(toCancellation)
  async quote(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page | SeeOther> {
    try {
      return await this.quotePage(await this.cancellations.quoteAnew(id, travellerOf(visit)), visit);
    } catch (error) {
      if (isRefused(error)) return { location: `${pathTo(toOrder(id))}#cancelamento` };
      throw error;
    }
  }

  @Post(':id/cancelar')
  @IsAbout(toCancellation)
  async cancel(
    @Param('id') id: string,
    @CurrentVisit() visit: Visit,
    @FormFields() fields: Parameters,
  ): Promise<Page | SeeOther> {
    const cancellationId = fields.required('cancellation');
    try {
      await this.commands.execute(new CancelOrder(id, cancellationId, travellerOf(visit), visit.context));
    } catch (error) {
      if (error instanceof QuoteOver) return this.quotePage(error.quote, visit, true);
      // The order's page says what stands in the way, and how far a cancellation has come that has begun.
      const hasBegun = error instanceof CancellationUnderWay && isCancelling(await this.orders.get(id, visit.holder));
      if (!isRefused(error) && !hasBegun) throw error;
    }
    return { location: pathTo(toOrder(id)) };
  }

  @Get(':id/bilhete.pdf')
  @LimitedBy('publicReads', TICKET_WEIGHT)
  @IsAbout(toOrder)
  @Header('cache-control', 'no-store')
  async ticket(@Param('id') id: string, @CurrentVisit() { holder, urls }: Visit): Promise<StreamableFile> {
    const order = await this.orders.paid(id, holder);
    return pdfFile(await ticketOf(this.orders, order, { reader: order.checkout, urls }));
  }

  @Get(':id/voo.ics')
  @IsAbout(toOrder)
  @Header('cache-control', 'no-store')
  @Header('content-type', CALENDAR)
  @Header('content-disposition', 'attachment; filename="voo.ics"')
  async calendar(@Param('id') id: string, @CurrentVisit() { holder }: Visit): Promise<string> {
    return ticketCalendar(this.orders, await this.orders.paid(id, holder));
  }

  @Get(':id/historico.jsonl')
  @LimitedBy('publicReads', 50)
  @IsAbout(toOrder)
  @Header('content-type', 'application/jsonl; charset=utf-8')
  @Header('content-disposition', 'attachment; filename="pedido.jsonl"')
  @Header('cache-control', 'no-store')
  async history(@Param('id') id: string, @CurrentVisit() { holder }: Visit): Promise<StreamableFile> {
    await this.orders.get(id, holder);
    return this.histories.bundle({ order: id }, holder);
  }
  private async quotePage(quote: QuotedCancellation, visit: Visit, isAnother = false): Promise<Page> {
    const { checkout } = quote.order;
    const people = await this.orders.travellers.of({ id: checkout.orderId, named: checkout.named }, checkout);
    return cancellationPage({ ...visit, quote, people, isAnother });
  }
}

/** The traveller, through no agent. */
const travellerOf = ({ holder }: Visit) => ({ holder, clientId: null });

const isRefused = (error: unknown): boolean => error instanceof DomainError && error.code === 'order_not_cancellable';
