import { Get, Header, Param, Query, type StreamableFile } from '@nestjs/common';
import { LimitedBy } from '#http';
import { Challenges, Orders, receiptView } from '#order';
import { html, nextLink, type Page } from '#site';
import { Histories } from '../history/histories.js';
import { ACCOUNT, accountPage, ORDERS, requestedPage } from '../layout/account-page.js';
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
  async list(@CurrentVisit() { holder, session, urls }: Visit, @Query('cursor') cursor: unknown): Promise<Page> {
    const page = requestedPage(cursor, ORDERS_A_PAGE);
    const { count, items, nextCursor } = await this.orders.list(holder, undefined, page);
    const nameOf = await this.names.ofAll(
      holder,
      items.map(({ checkout }) => checkout.clientId),
    );
    return accountPage({
      title: ORDERS.name,
      session,
      urls,
      isBroad: true,
      trail: [ACCOUNT],
      content: html`<h1>${ORDERS.name}</h1>
        <p class="lead">${count === 0 ? 'Nenhum pedido ainda.' : `${count} no total, do mais novo ao mais antigo.`}</p>
        ${orderRows(items, nameOf)} ${nextLink(ORDERS.path, nextCursor, 'Ver pedidos mais antigos')}`,
    });
  }

  @Get(':id')
  @IsAbout(toOrder)
  async show(@Param('id') id: string, @CurrentVisit() { holder, session, urls }: Visit): Promise<Page> {
    const order = await this.orders.get(id, holder);
    const receipt = order.kind === 'paid' ? receiptView(order) : null;
    const isChallenged = order.kind === 'pending' && order.challenge !== null;
    const challenge = isChallenged ? await this.challenges.get(id, holder) : null;
    const buyer = await this.orders.buyerName(id, holder);
    const agent = await this.names.of(order.checkout);
    const integrity = await this.histories.integrityOf(`order-${id}`);
    return orderPage({
      order,
      receipt,
      buyer,
      integrity,
      agent,
      isWaiting: challenge?.status === 'waiting',
      session,
      urls,
    });
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
