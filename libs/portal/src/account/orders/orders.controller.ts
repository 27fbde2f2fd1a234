import { Get, Header, Param, Query, type StreamableFile } from '@nestjs/common';
import { LimitedBy } from '#http';
import { isCharged, Challenges, Orders, receiptView } from '#order';
import type { Page } from '#site';
import { ticketCalendar } from '../../tickets/ticket-calendar.js';
import { CALENDAR, pdfFile } from '../../tickets/tickets.controller.js';
import { ticketOf } from '../../tickets/ticket-pdf.js';
import { requestedPage } from '../../page-parts.js';
import { Histories } from '../history/histories.js';
import { listPage, ORDERS } from '../layout/account-page.js';
import { AgentNames } from '../layout/agent-names.js';
import { CurrentVisit, type Visit } from '#identity';
import { AccountPages, IsAbout } from '../session.guard.js';
import { orderRows } from './order-rows.js';
import { orderPage, toOrder } from './order.page.js';

const ORDERS_A_PAGE = 20;

/** `{site_url}/conta/pedidos`: what was bought for a traveller, with the ticket and the receipt. */
@AccountPages('conta/pedidos')
export class OrdersController {
  constructor(
    private readonly orders: Orders,
    private readonly challenges: Challenges,
    private readonly names: AgentNames,
    private readonly histories: Histories,
  ) {}

  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'orders' }))
  async list(@CurrentVisit() visit: Visit, @Query('cursor') cursor: unknown): Promise<Page> {
    const page = requestedPage(cursor, ORDERS_A_PAGE);
    const { holder } = visit;
    const found = await this.orders.list(holder, undefined, page);
    const nameOf = await this.names.ofAll(
      holder,
      found.items.map(({ checkout }) => checkout.clientId),
    );
    return listPage(ORDERS, 'pedido', { ...found, rows: orderRows(found.items, nameOf) }, visit);
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
    const agent = await this.names.of(order.checkout);
    const integrity = await this.histories.integrityOf(`order-${id}`);
    const isWaiting = challenge?.status === 'waiting';
    return orderPage({ ...visit, order, receipt, buyer, people, integrity, agent, isWaiting });
  }

  @Get(':id/bilhete.pdf')
  @LimitedBy('publicReads', 20)
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
}
