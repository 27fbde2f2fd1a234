import type { Aggregates } from '#event-store';
import { agencyStream } from '#events';
import { agencyDecider, requireAuthorized } from './agency.decider.js';

/**
 * Judges the agent by its agency's stream, before anything is appended on its behalf: a revocation counts from its event
 * on, also where the grant still lives (design.md §5, Errors).
 *
 * @throws Refusal `invalid_token`
 */
export const judgeAgent = async (
  aggregates: Aggregates,
  { holder, clientId }: { readonly holder: string; readonly clientId: string },
): Promise<void> => {
  const { state } = await aggregates.load(agencyStream(holder, clientId), agencyDecider);
  requireAuthorized(state);
};
