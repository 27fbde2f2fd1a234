import { Injectable } from '@nestjs/common';
import { Aggregates, EventStore } from '#event-store';
import { DomainError } from '#kernel';
import { FIRST_HASH, loggedEvent, NotSealed, TransparencyLog } from '#transparency';
import { formatProof, parseProof, utf8 } from '#verifier';
import { isCharged, orders } from '../order.decider.js';
import { loadOrder } from '../orders/orders.js';

@Injectable()
export class ReceiptProofs {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly events: EventStore,
    private readonly log: TransparencyLog,
  ) {}

  /** A `.tlog-proof` that holds the `OrderPaid` itself (docs/audit-format.md). @throws DomainError `ticket_not_found`; NotSealed */
  async of(orderId: string, holder: string): Promise<string> {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (!order || !isCharged(order)) throw new DomainError('ticket_not_found');
    const stream = orders.streamOf(orderId);
    let previousHash = FIRST_HASH;
    for await (const event of this.events.readStream(stream)) {
      if (event.type === 'OrderPaid') {
        const index = await this.log.indexOf(event.position);
        if (index === null) throw new NotSealed(`the payment of order ${orderId} is not sealed yet`);
        const proof = parseProof(await this.log.prove(index));
        const logged = loggedEvent(event, previousHash, await this.log.nameOf(event));
        return formatProof({ ...proof, extra: utf8(JSON.stringify(logged)) });
      }
      previousHash = event.metadata.hash;
    }
    throw new DomainError('ticket_not_found');
  }
}
