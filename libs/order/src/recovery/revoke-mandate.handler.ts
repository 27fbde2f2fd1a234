import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { delegations } from '#delegation';
import { handleMandate, type MandateAt, mandates, RevokeMandate } from '#mandate';
import { ReadModels } from '#read-models';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { endMandate } from './end-mandate.js';

/**
 * Revokes, and answers once the mandate is at its end: after the 200 nothing is captured (docs/consistency.md, rule 9).
 * Doing it again takes up what was left half done.
 */
@CommandHandler(RevokeMandate)
export class RevokeMandateHandler implements ICommandHandler<RevokeMandate> {
  constructor(
    private readonly checkouts: CheckoutDependencies,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ mandateId, holder, context }: RevokeMandate): Promise<MandateAt> {
    const { aggregates, clock } = this.checkouts;
    const revoke = { type: 'Revoke', holder } as const;
    const { mandate: revoked, position } = await handleMandate(aggregates, mandateId, revoke, context);
    const { mandate, closedAt } = await endMandate(this.checkouts, revoked, context);
    await Promise.all([this.readModels.waitFor(mandates, position), this.readModels.waitFor(delegations, closedAt)]);
    return { mandate: mandate.kind === 'granted' ? mandate : revoked, at: clock.now() };
  }
}
