import { Injectable } from '@nestjs/common';
import { isTicketCode, Locators, ticketLeasedAt } from '#checkout';
import { type Document, ReadModelStore } from '#documents';
import { EventStore } from '#event-store';
import { plus } from '#kernel';
import { type OrderListItem, ordersProjection, ticketCodesOf } from '#order';
import { listed, ReadModels } from '#read-models';

/** How long (ms) before its ticket was drawn an order may have been placed: challenges wait for minutes. */
const BEFORE_TICKET = 3_600_000;
/** So many orders of after the lease of its block are looked at for a ticket of one whose first ticket is of another block. */
const MOST_LOOKED_AT = 20_000;

/** Finds orders by what is printed on their tickets. Those of an order follow each other, unless its block ends among them. */
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
    if (code === null) return null;
    const [before] = await this.store.find<OrderListItem>(await this.readModels.upToDate(ordersProjection), {
      where: [{ field: 'ticketCode', below: `${code}0` }], // nothing is between a code and the same with a zero behind it
      sort: { field: 'ticketCode', direction: 'descending' },
      limit: 1,
    });
    if (before && has(before, code)) return before.id;
    const leasedAt = await ticketLeasedAt(this.events, code);
    return leasedAt === null ? null : this.apartFromFirst(code, plus(leasedAt, -BEFORE_TICKET));
  }

  private codeIn(text: string): string | null {
    const plain = text.toUpperCase().replace(/[\s.-]/g, '');
    const code = plain.replace(/^R/, '');
    return isTicketCode(code) ? code : this.locators.ticketOf(plain);
  }

  /** A ticket is not older than the lease of its block. */
  private async apartFromFirst(code: string, from: string): Promise<string | null> {
    const collection = await this.readModels.upToDate(ordersProjection);
    let seen = 0;
    for await (const order of listed<OrderListItem>(this.store, collection, { field: 'placedAt', atLeast: from })) {
      if (has(order, code)) return order.id;
      seen += 1;
      if (seen === MOST_LOOKED_AT) break;
    }
    return null;
  }
}

const has = ({ body }: Document<OrderListItem>, code: string): boolean =>
  'ticketCode' in body && ticketCodesOf(body).includes(code);
