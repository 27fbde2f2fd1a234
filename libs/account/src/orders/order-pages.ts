import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetChallenge, GetReceipt, OrderOfHolder, OrdersOfHolder } from '#order';
import { html, type Page } from '#site';
import { ACCOUNT, accountPage, ORDERS } from '../layout/account-page.js';
import { AgentNames } from '../layout/agent-names.js';
import { nextLink, pageAsked } from '../layout/paging.js';
import type { Visit } from '../layout/visits.js';
import { orderPage } from './order.page.js';
import { orderRows } from './order-rows.js';

const ORDERS_A_PAGE = 20;

/** What a traveller is shown of their orders. Everything throws a DomainError that reads as "not found". */
@Injectable()
export class OrderPages {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: AgentNames,
  ) {}

  /** All of them, page after page. */
  async list({ holder, visitor, urls }: Visit, cursor: unknown): Promise<Page> {
    const asked = pageAsked(cursor, ORDERS_A_PAGE);
    const { count, items, nextCursor } = await this.queries.execute(new OrdersOfHolder(holder, asked));
    const nameOf = await this.names.ofAll(items.map(({ checkout }) => checkout.clientId));
    return accountPage({
      title: ORDERS.name,
      visitor,
      urls,
      isBroad: true,
      trail: [ACCOUNT],
      content: html`<h1>${ORDERS.name}</h1>
        <p class="lead">${count === 0 ? 'Nenhum pedido ainda.' : `${count} no total, do mais novo ao mais antigo.`}</p>
        ${orderRows(items, nameOf)} ${nextLink(ORDERS.path, nextCursor, 'Ver pedidos mais antigos')}`,
    });
  }

  async page(id: string, { holder, visitor, urls }: Visit): Promise<Page> {
    const order = await this.queries.execute(new OrderOfHolder(id, holder));
    const receipt = order.kind === 'paid' ? await this.queries.execute(new GetReceipt(id, holder)) : null;
    const isChallenged = order.kind === 'pending' && order.challenge !== null;
    const challenge = isChallenged ? await this.queries.execute(new GetChallenge(id, holder)) : null;
    const agent = await this.names.of(order.checkout.clientId);
    return orderPage({ order, receipt, agent, isWaiting: challenge?.status === 'waiting', visitor, urls });
  }
}
