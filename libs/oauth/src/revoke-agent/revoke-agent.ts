import { Module } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Checkouts, CheckoutModule, endMandates } from '#checkout';
import { delegations, everyAgent } from '#mandate';
import type { LogScan } from '#event-store';
import type { Context, Party } from '#kernel';
import { Consents } from '../authorize/remembered-consents.js';
import { Grants } from '../grants/grants.js';
import { OAuthModule } from '../oauth.module.js';

/** The traveller no longer lets an agent act: its tokens and mandates are revoked. Only their own login session may send it. */
export class RevokeAgent extends Command<void> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
    readonly context: Context,
  ) {
    super();
  }
}

interface Revoking {
  readonly grants: Grants;
  readonly consents: Consents;
  readonly checkouts: Checkouts;
}

/** Revokes grants, delegation, grants again, then mandates (rules 9, 19). Safe to repeat. */
export const revokeAgent = async (
  { grants, consents, checkouts }: Revoking,
  { holder, clientId }: Party,
  context: Context,
): Promise<void> => {
  const revoke = { type: 'RevokeAgent' } as const;
  await grants.revokeAll(holder, clientId, 'agent_revoked');
  const { aggregates } = checkouts;
  const { state } = await aggregates.handle(delegations, { holder, clientId }, revoke, context);
  if (state.status === 'unknown') return;
  // The grants of a consent that was given in between.
  await grants.revokeAll(holder, clientId, 'agent_revoked');
  await consents.forget(holder, clientId);
  await endMandates(checkouts, { holder, clientId }, context);
};

/**
 * Revokes a client for every traveller who let it in, or every agent of a traveller, for an operator. Run again, it goes on.
 * Returns how many were let in.
 */
export const revokeAgents = async (
  revoking: Revoking,
  events: LogScan,
  whose: Partial<Party>,
  context: Context,
): Promise<number> => {
  let ended = 0;
  for (const agent of await everyAgent(events)) {
    const { holder = agent.holder, clientId = agent.clientId } = whose;
    if (agent.holder !== holder || agent.clientId !== clientId) continue;
    const { state } = await revoking.checkouts.aggregates.load(delegations, agent);
    if (state.status === 'authorized') ended += 1;
    await revokeAgent(revoking, agent, context); // whatever its status: its mandates may not have ended yet
  }
  return ended;
};

@CommandHandler(RevokeAgent)
export class RevokeAgentHandler implements ICommandHandler<RevokeAgent> {
  constructor(
    readonly grants: Grants,
    readonly consents: Consents,
    readonly checkouts: Checkouts,
  ) {}

  async execute({ holder, clientId, context }: RevokeAgent): Promise<void> {
    await revokeAgent(this, { holder, clientId }, context);
  }
}

/** Revoking an agent. A module of its own, since it also ends mandates and pending orders. */
@Module({
  imports: [CheckoutModule, OAuthModule],
  providers: [RevokeAgentHandler],
})
export class RevokeAgentModule {}
