import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { ReadModels } from '#read-models';
import { SetSpendingCap } from './set-spending-cap.command.js';
import { delegations } from './delegation.decider.js';

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
