import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { delegations, requireAuthorized } from './delegation.decider.js';
import type { Delegation, KnownDelegation } from './delegation.state.js';

/** What a traveller lets one agent do, as its stream has it now; `unknown` where they never let it in. */
export class GetDelegation extends Query<Delegation> {
  constructor(
    readonly holder: string,
    readonly clientId: string,
  ) {
    super();
  }
}

@QueryHandler(GetDelegation)
export class GetDelegationHandler implements IQueryHandler<GetDelegation> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ holder, clientId }: GetDelegation) {
    return (await this.aggregates.load(delegations, { holder, clientId })).state;
  }
}

/**
 * Judges the agent by its delegation's stream, before anything is appended on its behalf: a revocation counts from its event
 * on, also where the grant still lives (docs/decisions.md, Errors).
 *
 * @throws DomainError `invalid_token`
 */
export const requireAuthorizedAgent = async (
  aggregates: Aggregates,
  { holder, clientId }: { readonly holder: string; readonly clientId: string },
): Promise<KnownDelegation> => {
  const { state } = await aggregates.load(delegations, { holder, clientId });
  requireAuthorized(state);
  return state;
};
