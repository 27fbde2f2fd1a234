import { Get, Query } from '@nestjs/common';
import { dateAt } from '#catalog';
import { CurrentVisit, type Visit } from '#identity';
import { Orders } from '#order';
import type { Page } from '#site';
import { requestedPage } from '../../page-parts.js';
import { AgentNames } from '../layout/agent-names.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { isToCome, tripsPage } from './trips.page.js';

const PURCHASES_A_PAGE = 20;
/** Among how many of the newest paid orders trips to come are looked for. */
const PAID = 100;

/** `{site_url}/conta/viagens`: trips to come, and what else was bought or was not. */
@AccountPages('conta/viagens')
export class TripsController {
  constructor(
    private readonly orders: Orders,
    private readonly names: AgentNames,
  ) {}

  @Get()
  @IsAbout(() => ({ kind: 'account', id: 'orders' }))
  async show(@CurrentVisit() visit: Visit, @Query('cursor') cursor: unknown): Promise<Page> {
    const { holder, now } = visit;
    const [found, paid, month] = await Promise.all([
      this.orders.list(holder, undefined, requestedPage(cursor, PURCHASES_A_PAGE)),
      this.orders.list(holder, 'paid', requestedPage(undefined, PAID)),
      this.orders.spentThisMonth(holder),
    ]);
    const today = dateAt(now, 'America/Sao_Paulo');
    const coming = paid.items.filter((order) => isToCome(order, today));
    const known = new Set(coming.map(({ id }) => id));
    const others = found.items.filter(({ id }) => !known.has(id));
    const nameOf = await this.names.ofAll(
      holder,
      [...coming, ...others].map(({ checkout }) => checkout),
    );
    const isFirst = cursor === undefined;
    return tripsPage({
      ...visit,
      coming,
      others,
      month,
      isFirst,
      count: found.count,
      nextCursor: found.nextCursor,
      nameOf,
    });
  }
}
