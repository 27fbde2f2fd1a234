import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { LogScan, Position } from '#event-store';
import type { Context, Party } from '#kernel';
import { ReadModels } from '#read-models';
import { categoryOf, idOf } from '#events';
import { delegations, mandates, SetSpendingCap } from '#mandate';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { type EndingMandate, endMandate } from './end-mandate.js';

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

/** Every agent that the log knows, with its traveller. */
const partiesIn = async (events: LogScan): Promise<Iterable<Party>> => {
  const parties = new Map<string, Party>();
  for await (const { places } of events.readPlaces(null, 'traffic'))
    for (const { stream } of places) {
      if (categoryOf(stream) !== 'delegation') continue;
      const [holder = '', ...client] = idOf(stream).split('.');
      parties.set(stream, { holder, clientId: client.join('.') });
    }
  return parties.values();
};

/** The mandates that are open by their delegations and have not expired, of all travellers. */
export const everyOpenMandate = async (
  { aggregates, clock }: Pick<CheckoutDependencies, 'aggregates' | 'clock'>,
  events: LogScan,
): Promise<readonly EndingMandate[]> => {
  const open: EndingMandate[] = [];
  const now = clock.now();
  for (const party of await partiesIn(events)) {
    const { state } = await aggregates.load(delegations, party);
    for (const [mandateId, { expiresAt }] of state.status === 'unknown' ? [] : Object.entries(state.openMandates))
      if (now < expiresAt) open.push({ ...party, mandateId });
  }
  return open;
};

/** Revokes mandates, whoever holds them, and brings each to its end, for an operator. Run again, it goes on. */
export const revokeMandates = async (
  dependencies: CheckoutDependencies,
  open: readonly EndingMandate[],
  context: Context,
): Promise<void> => {
  const { aggregates } = dependencies;
  for (const ending of open) {
    const { state } = await aggregates.load(mandates, ending.mandateId);
    if (state.kind === 'granted')
      await aggregates.handle(mandates, ending.mandateId, { type: 'Revoke', holder: ending.holder }, context);
    await endMandate(dependencies, ending, context);
  }
};
