import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import type { Context } from '#kernel';
import { ReadModels } from '#read-models';
import { delegations } from './delegation.decider.js';

/** The traveller says whether one agent asks for each mandate, or opens mandates itself within the cap. */
export class SetApprovalMode extends Command<void> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
    readonly asksFirst: boolean,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(SetApprovalMode)
export class SetApprovalModeHandler implements ICommandHandler<SetApprovalMode> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, clientId, asksFirst, context }: SetApprovalMode): Promise<void> {
    const command = { type: 'SetApprovalMode', asksFirst } as const;
    const { position } = await this.aggregates.handle(delegations, { holder, clientId }, command, context);
    await this.readModels.waitFor(delegations, position);
  }
}
