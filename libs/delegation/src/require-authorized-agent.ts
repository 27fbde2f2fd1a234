import type { Aggregates } from '#event-store';
import { delegations, requireAuthorized } from './delegation.decider.js';

/**
 * Judges the agent by its delegation's stream, before anything is appended on its behalf: a revocation counts from its event
 * on, also where the grant still lives (docs/decisions.md, Errors).
 *
 * @throws DomainError `invalid_token`
 */
export const requireAuthorizedAgent = async (
  aggregates: Aggregates,
  { holder, clientId }: { readonly holder: string; readonly clientId: string },
): Promise<void> => {
  const { state } = await aggregates.load(delegations, { holder, clientId });
  requireAuthorized(state);
};
