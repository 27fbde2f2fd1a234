import type { Aggregates, Handled } from '#event-store';
import type { MandateEvent } from '#events';
import type { Context, Instant, Money } from '#kernel';
import { delegations, type GrantedMandate, type Mandate, mandates } from '#mandate/pure';

/** How a delegation is to open what its traveller approved. `atMost`: mandates that the agent may have open; 0: any number. */
export const openingOf = (
  { mandateId }: GrantedMandate,
  terms: { readonly limit: Money; readonly expiresAt: Instant },
  atMost: number,
) => ({ type: 'OpenMandate', mandateId, ...terms, atMost, isDecided: true }) as const;

/** Carries out what the traveller approved, any number of times (docs/consistency.md, rule 31); null where nothing was approved. */
export const grantApproved = async (
  aggregates: Aggregates,
  mandate: GrantedMandate,
  atMost: number,
  context: Context,
): Promise<Handled<Mandate, MandateEvent> | null> => {
  const approved = mandate.pending?.approved;
  if (!approved) return null;
  const { mandateId, holder, clientId, scope, constraints } = mandate;
  await aggregates.handle(delegations, { holder, clientId }, openingOf(mandate, approved, atMost), context);
  const granted = { mandateId, holder, clientId, scope, constraints, ...approved, grantedBy: 'traveller' } as const;
  return aggregates.handle(mandates, mandateId, { type: 'CreateMandate', ...granted }, context);
};
