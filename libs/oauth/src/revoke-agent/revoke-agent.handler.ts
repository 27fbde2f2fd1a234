import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { delegations } from '#delegation';
import { Aggregates } from '#event-store';
import { CheckoutDependencies, endMandate } from '#order';
import { ReadModels } from '#read-models';
import { Consents } from '../authorize/consents.js';
import { Grants } from '../grants/grants.js';
import { RevokeAgent } from './revoke-agent.command.js';

/**
 * Revokes in this order, and answers after all of it: the delegation, which everything that appends or issues a token judges
 * before it does, then the grants, which the guards read, then each open mandate (docs/consistency.md, rules 9 and 19). The
 * grants die once before that too, so that wherever it breaks off no token outlives `AgentRevoked`. Doing it again takes
 * up what was left half done; of the mandates, so does the settler.
 */
@CommandHandler(RevokeAgent)
export class RevokeAgentHandler implements ICommandHandler<RevokeAgent> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly grants: Grants,
    private readonly consents: Consents,
    private readonly checkouts: CheckoutDependencies,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, clientId, context }: RevokeAgent): Promise<void> {
    const revoke = { type: 'RevokeAgent' } as const;
    await this.grants.revokeAll(holder, clientId, 'agent_revoked');
    const { state, position } = await this.aggregates.handle(delegations, { holder, clientId }, revoke, context);
    if (state.status === 'unknown') return;
    // Those of a consent given in between.
    await this.grants.revokeAll(holder, clientId, 'agent_revoked');
    await this.consents.forget(holder, clientId);

    let last = position;
    for (const mandateId of state.ending) {
      const { closedAt } = await endMandate(this.checkouts, { mandateId, holder, clientId }, context);
      last = closedAt ?? last;
    }
    await this.readModels.waitFor(delegations, last);
  }
}
