import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { agencyDecider } from '#agency';
import { Aggregates } from '#event-store';
import { agencyStream, mandateStream, orderStream } from '#events';
import { Clock, isId, money, Refusal } from '#kernel';
import { loadMandate, mandateDecider, mandateView, RevokeMandate } from '#mandate';
import { ReadModels } from '#read-models';
import { orderDecider } from './order.decider.js';
import { Settlement } from './settlement.js';

/**
 * Revokes, settles every order that has money set aside, closes the mandate in the agency, and only then answers: after
 * the 200 nothing is captured (consistency.md, rules 9 and 19). Doing it again takes up what was left half done.
 */
@CommandHandler(RevokeMandate)
export class RevokeMandateHandler implements ICommandHandler<RevokeMandate> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly settlement: Settlement,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  async execute({ mandateId, holder, links, context }: RevokeMandate) {
    if (!isId(mandateId)) throw new Refusal('mandate_not_found');
    const revoke = { type: 'Revoke', holder } as const;
    const { state, position } = await this.aggregates.handle(mandateStream(mandateId), mandateDecider, revoke, context);
    if (state.kind === 'granted' && state.revokedAt !== null) {
      for (const orderId of Object.keys(state.reservations)) {
        const order = (await this.aggregates.load(orderStream(orderId), orderDecider)).state;
        // Money is reserved only for an order that was placed.
        if (order.kind !== 'none') await this.settlement.settle(order.checkout, 'mandate_revoked', context);
      }
    }
    const mandate = await loadMandate(this.aggregates, mandateId, holder);
    if (mandate.revokedAt !== null) {
      const consumed = money(mandate.consumed, mandate.limit.currency);
      const close = { type: 'CloseMandate', mandateId, consumed } as const;
      await this.aggregates.handle(agencyStream(holder, mandate.clientId), agencyDecider, close, context);
    }
    await this.readModels.waitFor('mandate', position);
    return mandateView(mandate, this.clock.now(), links);
  }
}
