import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { delegations, SetSpendingCap } from '#delegation';
import type { Position } from '#event-store';
import type { Context, Party } from '#kernel';
import { ReadModels } from '#read-models';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { endMandate } from './end-mandate.js';

/**
 * Ends every mandate that is to end in what the traveller lets this agent do, after a cap as after a revocation of the
 * agent (docs/consistency.md, rules 9 and 28). What one of them had spent is known once it is closed, and may end further
 * ones, so the stream is asked anew after each. Run again, it takes up what was left half done. Answers where the last one
 * was closed; null where there was none.
 */
export const endMandates = async (
  dependencies: CheckoutDependencies,
  { holder, clientId }: Party,
  context: Context,
): Promise<Position | null> => {
  const ended = new Set<string>();
  let closedLast: Position | null = null;
  for (;;) {
    const { state } = await dependencies.aggregates.load(delegations, { holder, clientId });
    const next = state.status === 'unknown' ? undefined : state.ending.find((mandateId) => !ended.has(mandateId));
    if (next === undefined) return closedLast;
    ended.add(next);
    const { closedAt } = await endMandate(dependencies, { mandateId: next, holder, clientId }, context);
    closedLast = closedAt ?? closedLast;
  }
};

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
  constructor(
    private readonly checkouts: CheckoutDependencies,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ party, context }: EndMandates): Promise<void> {
    await this.readModels.waitFor(delegations, await endMandates(this.checkouts, party, context));
  }
}

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
