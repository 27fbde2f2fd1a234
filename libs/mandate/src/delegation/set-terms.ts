import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Checkouts, endMandates } from '#checkout';
import type { Context, Money, Party } from '#kernel';
import { delegations } from './delegation.decider.js';
import { Aggregates } from '#event-store';

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
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ holder, clientId, asksFirst, context }: SetApprovalMode): Promise<void> {
    const command = { type: 'SetApprovalMode', asksFirst } as const;
    await this.aggregates.handle(delegations, { holder, clientId }, command, context);
  }
}

/** The traveller sets what one agent may spend in all; null: no limit (docs/consistency.md, rules 19 and 28). */
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

/** Returns once every mandate that does not fit under the cap has ended, any number of times (docs/consistency.md, rule 28). */
@CommandHandler(SetSpendingCap)
export class SetSpendingCapHandler implements ICommandHandler<SetSpendingCap> {
  constructor(private readonly checkouts: Checkouts) {}

  async execute({ holder, clientId, cap, context }: SetSpendingCap): Promise<void> {
    const agent = { holder, clientId };
    const command = { type: 'SetSpendingCap', cap } as const;
    await this.checkouts.aggregates.handle(delegations, agent, command, context);
    await endMandates(this.checkouts, agent, context);
  }
}

/** Ends the mandates of an agent that are to end, for those who set its cap by other means than `SetSpendingCap`. */
export class EndMandates extends Command<void> {
  constructor(
    readonly party: Party,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(EndMandates)
export class EndMandatesHandler implements ICommandHandler<EndMandates> {
  constructor(private readonly checkouts: Checkouts) {}

  async execute({ party, context }: EndMandates): Promise<void> {
    await endMandates(this.checkouts, party, context);
  }
}
