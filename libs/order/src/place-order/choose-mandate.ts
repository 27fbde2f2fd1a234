import type { KnownDelegation } from '#delegation';
import type { Aggregates } from '#event-store';
import { CHARGE_SCOPES, covers, DomainError, type Instant, type Money } from '#kernel';
import { type GrantedMandate, mandates, refusedCharge, remainingOf, statusOf } from '#mandate';

/**
 * The mandate for a charge that names none (docs/consistency.md, rule 20): candidates from what the traveller lets this
 * agent do, each checked by its own stream. The choice authorizes nothing yet: whoever charges still asks the mandate
 * itself.
 *
 * @throws DomainError `mandate_required`, `mandate_ambiguous`, `mandate_limit_exceeded`
 */
export const chooseMandate = async (
  aggregates: Aggregates,
  { openMandates }: Pick<KnownDelegation, 'openMandates'>,
  amount: Money,
  now: Instant,
): Promise<string> => {
  const open = Object.keys(openMandates);
  const candidates = await Promise.all(open.map((id) => aggregates.load(mandates, id)));
  return theOne(
    candidates.flatMap(({ state }) => (state.kind === 'granted' && mayPay(state, amount, now) ? [state] : [])),
    amount,
  ).mandateId;
};

/** Valid, in the right currency and wide enough in scope; how much remains is not asked yet. */
const mayPay = (mandate: GrantedMandate, { currency }: Money, now: Instant): boolean =>
  statusOf(mandate, now) === 'valid' && mandate.limit.currency === currency && covers(mandate.scope, CHARGE_SCOPES);

const theOne = (candidates: readonly GrantedMandate[], required: Money): GrantedMandate => {
  const [only, ...others] = candidates;
  if (!only) throw new DomainError('mandate_required');
  // A single one is authorized by itself, so that its refusal stands in its stream.
  if (others.length === 0) return only;

  const [enough, ...more] = candidates.filter((mandate) => remainingOf(mandate).amount >= required.amount);
  if (!enough) throw refusedCharge('mandate_limit_exceeded', richest(candidates), required);
  if (more.length > 0) {
    throw new DomainError('mandate_ambiguous', { mandateIds: [enough, ...more].map(({ mandateId }) => mandateId) });
  }
  return enough;
};

/** The one with most left: what it could pay at most is what the agent learns. */
const richest = (candidates: readonly GrantedMandate[]): GrantedMandate =>
  candidates.reduce((most, mandate) => (remainingOf(mandate).amount > remainingOf(most).amount ? mandate : most));
