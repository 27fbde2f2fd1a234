import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handleMandate, loadMandate, type MandateAt, mandates, PauseMandate } from '#mandate';
import { ReadModels } from '#read-models';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { endMandate, finishReserved } from './end-mandate.js';

/**
 * Pauses a mandate, and answers once no order has money of it set aside: after the answer nothing is captured until it is
 * resumed (docs/consistency.md, rule 29). Doing it again takes up what was left half done. A mandate that is over is
 * not paused; its end, which may be half done too, is brought about instead.
 *
 * @throws DomainError `mandate_not_found`, `mandate_forbidden`
 */
@CommandHandler(PauseMandate)
export class PauseMandateHandler implements ICommandHandler<PauseMandate> {
  constructor(
    private readonly checkouts: CheckoutDependencies,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ mandateId, holder, context }: PauseMandate): Promise<MandateAt> {
    const { aggregates, clock } = this.checkouts;
    const { mandate, position } = await handleMandate(aggregates, mandateId, { type: 'Pause', holder }, context);
    await (mandate.pausedAt === null
      ? endMandate(this.checkouts, mandate, context)
      : finishReserved(this.checkouts, mandate, 'mandate_paused', context));
    await this.readModels.waitFor(mandates, position);
    return { mandate: await loadMandate(aggregates, mandateId, holder), at: clock.now() };
  }
}
