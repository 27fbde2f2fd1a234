import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import type { Context, Money } from '#kernel';
import { ReadModels } from '#read-models';
import { delegations } from './delegation.decider.js';

/** The traveller sets what one agent may spend in all, or (null) takes that limit away (docs/consistency.md, rule 19). */
export class SetSpendingCap extends Command<void> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
    readonly cap: Money | null,
    readonly context: Context,
  ) {
    super();
  }
}

/** From the next mandate on the new number counts; what is open or spent stays counted. */
@CommandHandler(SetSpendingCap)
export class SetSpendingCapHandler implements ICommandHandler<SetSpendingCap> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, clientId, cap, context }: SetSpendingCap): Promise<void> {
    const command = { type: 'SetSpendingCap', cap } as const;
    const { position } = await this.aggregates.handle(delegations, { holder, clientId }, command, context);
    await this.readModels.waitFor(delegations, position);
  }
}
