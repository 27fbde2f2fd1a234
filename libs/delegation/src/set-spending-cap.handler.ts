import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { delegationStream } from '#events';
import { ReadModels } from '#read-models';
import { delegationDecider } from './delegation.decider.js';
import { SetSpendingCap } from './set-spending-cap.command.js';

/** From the next mandate on the new number counts; what is open or spent stays counted. */
@CommandHandler(SetSpendingCap)
export class SetSpendingCapHandler implements ICommandHandler<SetSpendingCap> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, clientId, cap, context }: SetSpendingCap): Promise<void> {
    const command = { type: 'SetSpendingCap', cap } as const;
    const { position } = await this.aggregates.handle(
      delegationStream(holder, clientId),
      delegationDecider,
      command,
      context,
    );
    await this.readModels.waitFor('delegation', position);
  }
}
