import type { Aggregates } from '#event-store';
import { DomainError, isId } from '#kernel';
import type { GrantedMandate } from './mandate.state.js';
import { mandates } from './mandate.decider.js';

/**
 * A mandate of this holder as its stream has it now.
 *
 * @throws DomainError `mandate_not_found`, `mandate_forbidden` (another holder's)
 */
export const loadMandate = async (
  aggregates: Aggregates,
  mandateId: string,
  holder: string,
): Promise<GrantedMandate> => {
  if (!isId(mandateId)) throw new DomainError('mandate_not_found');
  const { state } = await aggregates.load(mandates, mandateId);
  if (state.kind !== 'granted') throw new DomainError('mandate_not_found');
  if (state.holder !== holder) throw new DomainError('mandate_forbidden');
  return state;
};
