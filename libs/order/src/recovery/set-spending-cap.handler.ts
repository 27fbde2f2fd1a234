import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { delegations, SetSpendingCap } from '#delegation';
import { ReadModels } from '#read-models';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { endMandates } from './end-mandates.js';

/**
 * Sets the cap, and answers once every mandate that does not fit under it is at its end: after that nothing above the cap
 * is captured (docs/consistency.md, rule 28). Setting the same cap again takes up what was left half done.
 */
@CommandHandler(SetSpendingCap)
export class SetSpendingCapHandler implements ICommandHandler<SetSpendingCap> {
  constructor(
    private readonly checkouts: CheckoutDependencies,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, clientId, cap, context }: SetSpendingCap): Promise<void> {
    const agent = { holder, clientId };
    const command = { type: 'SetSpendingCap', cap } as const;
    const { position } = await this.checkouts.aggregates.handle(delegations, agent, command, context);
    const closedAt = await endMandates(this.checkouts, agent, context);
    await this.readModels.waitFor(delegations, closedAt ?? position);
  }
}
