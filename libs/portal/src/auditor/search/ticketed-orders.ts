import { Injectable } from '@nestjs/common';
import { isTicketCode, Locators, ticketLeasedAt } from '#checkout';
import { type PageEnd, ReadModelStore } from '#documents';
import { EventStore } from '#event-store';
import { plus } from '#kernel';
import { type OrderListItem, ordersProjection, ticketCodesOf } from '#order';
import { ReadModels } from '#read-models';

/** How long (ms) before its ticket was drawn an order may have been placed: challenges wait for minutes. */
const BEFORE_TICKET = 3_600_000;
/** A block has a thousand tickets, and others sell from theirs meanwhile: so many orders of after its lease are looked at. */
const MOST_LOOKED_AT = 20_000;
const AT_ONCE = 500;

/** Finds orders by what is printed on their tickets. No index is kept for it: a ticket is not older than the lease of its block. */
@Injectable()
export class TicketedOrders {
  constructor(
    private readonly events: EventStore,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly locators: Locators,
  ) {}

  /** The id of the order that a ticket, its receipt (`R-` before the code) or a locator is of; null: of none, or too far back. */
  async orderOf(text: string): Promise<string | null> {
    const code = this.codeIn(text);
    const leasedAt = code === null ? null : await ticketLeasedAt(this.events, code);
    return code !== null && leasedAt !== null ? this.withTicket(code, plus(leasedAt, -BEFORE_TICKET)) : null;
  }

  private codeIn(text: string): string | null {
    const plain = text.toUpperCase().replace(/[\s.-]/g, '');
    const code = plain.replace(/^R/, '');
    return isTicketCode(code) ? code : this.locators.ticketOf(plain);
  }

  private async withTicket(code: string, from: string): Promise<string | null> {
    const collection = this.readModels.collectionOf(ordersProjection);
    const asked = {
      where: [{ field: 'placedAt', atLeast: from }],
      sort: { field: 'placedAt', direction: 'ascending' },
      limit: AT_ONCE,
    } as const;
    let after: PageEnd | undefined;
    for (let seen = 0; seen < MOST_LOOKED_AT; seen += AT_ONCE) {
      const page = await this.store.find<OrderListItem>(collection, { ...asked, ...(after && { after }) });
      const found = page.find(({ body }) => 'ticketCode' in body && ticketCodesOf(body).includes(code));
      const last = page.at(-1);
      if (found || !last || page.length < AT_ONCE) return found?.id ?? null;
      after = { value: last.body.placedAt, id: last.id };
    }
    return null;
  }
}
