import { CHARGE_SCOPES, covers, DomainError, type ErrorCode, type Instant, type Money } from '#kernel';
import { type GrantedMandate, type Mandate, remainingOf, statusOf } from './mandate.state.js';

/** A charge somebody wants to make against a mandate. */
export interface Charge {
  readonly holder: string;
  readonly clientId: string;
  readonly amount: Money;
}

/**
 * The mandate, if this agent of this traveller may spend from it at all.
 *
 * @throws DomainError `invalid_mandate` (unknown or another holder's: the same answer), `mandate_client_mismatch`
 */
export const spendable = (mandate: Mandate, { holder, clientId }: Charge): GrantedMandate => {
  if (mandate.kind !== 'granted' || mandate.holder !== holder) throw new DomainError('invalid_mandate');
  if (mandate.clientId !== clientId) throw new DomainError('mandate_client_mismatch');
  return mandate;
};

/** Why a mandate does not allow a charge, first reason wins (docs/decisions.md, Order); null where it does. */
export const chargeRefusal = (mandate: GrantedMandate, amount: Money, now: Instant): ErrorCode | null => {
  const status = statusOf(mandate, now);
  if (status === 'revoked') return 'mandate_revoked';
  if (status === 'expired') return 'mandate_expired';
  if (!covers(mandate.scope, CHARGE_SCOPES)) return 'mandate_scope_insufficient';
  if (mandate.limit.currency !== amount.currency) return 'currency_mismatch';
  return amount.amount > remainingOf(mandate).amount ? 'mandate_limit_exceeded' : null;
};

/** The refusal an agent is answered; over the ceiling it learns what remains. */
export const refusedCharge = (reason: ErrorCode, mandate: GrantedMandate, required: Money): DomainError =>
  new DomainError(
    reason,
    reason === 'mandate_limit_exceeded' ? { required, remaining: remainingOf(mandate) } : undefined,
  );
