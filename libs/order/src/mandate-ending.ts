import { Injectable } from '@nestjs/common';
import { delegations } from '#delegation';
import { Aggregates, type Position } from '#event-store';
import { Clock, type Context, money, type Money } from '#kernel';
import { mandates, statusOf } from '#mandate';
import { orders } from './order.decider.js';
import { Settlement } from './settlement.js';

/** A mandate with the agent it counts for. */
export interface EndingMandate {
  readonly mandateId: string;
  readonly holder: string;
  readonly clientId: string;
}

/**
 * Brings a mandate that is over to its end, as far as it can be brought: writes down its expiry, settles the orders that
 * still have money set aside, and closes it in its delegation, so that its place and its part of the cap are free
 * (docs/consistency.md, rules 9, 16 and 19). Run by a revocation and by the settler, any number of times, side by side.
 */
@Injectable()
export class MandateEnding {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly settlement: Settlement,
    private readonly clock: Clock,
  ) {}

  /** Answers where it was closed in its delegation's category; null where it was not, or had been before. */
  async end(mandate: EndingMandate, context: Context): Promise<Position | null> {
    const { mandateId } = mandate;
    // Opened and never created: shut the stream first, so that a late creation fails.
    await this.aggregates.handle(mandates, mandateId, { type: 'Abandon', mandateId }, context);
    await this.revokeWithAgent(mandate, context);
    const { state } = await this.aggregates.handle(mandates, mandateId, { type: 'Expire' }, context);
    if (state.kind !== 'granted') return this.close(mandate, money(0, 'BRL'), context);

    const status = statusOf(state, this.clock.now());
    if (status !== 'revoked' && status !== 'expired') return null;
    for (const orderId of Object.keys(state.reservations))
      await this.settleOrder(orderId, `mandate_${status}`, context);
    const { state: after } = await this.aggregates.load(mandates, mandateId);
    if (after.kind !== 'granted' || Object.keys(after.reservations).length > 0) return null;
    return this.close(mandate, money(after.consumed, after.limit.currency), context);
  }

  /** A mandate ends with the agent it was granted to, also where the agent has a new consent by now. */
  private async revokeWithAgent({ mandateId, holder, clientId }: EndingMandate, context: Context): Promise<void> {
    const { state: delegation } = await this.aggregates.load(delegations, { holder, clientId });
    if (delegation.status === 'unknown' || !delegation.ending.includes(mandateId)) return;
    const { state: mandate } = await this.aggregates.load(mandates, mandateId);
    if (mandate.kind !== 'granted') return;
    await this.aggregates.handle(mandates, mandateId, { type: 'Revoke', holder }, context);
  }

  private async settleOrder(
    orderId: string,
    failure: 'mandate_revoked' | 'mandate_expired',
    context: Context,
  ): Promise<void> {
    const { state } = await this.aggregates.load(orders, orderId);
    // Money is reserved only for an order that was placed.
    if (state.kind !== 'none') await this.settlement.settle(state.checkout, failure, context);
  }

  private async close(
    { mandateId, holder, clientId }: EndingMandate,
    consumed: Money,
    context: Context,
  ): Promise<Position | null> {
    const command = { type: 'CloseMandate', mandateId, consumed } as const;
    return (await this.aggregates.handle(delegations, { holder, clientId }, command, context)).position;
  }
}
