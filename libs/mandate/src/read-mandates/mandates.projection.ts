import type { Projection } from '#read-models';
import { mandates } from '../mandate.decider.js';
import { evolveMandate, type GrantedMandate, isPaused } from '../mandate.state.js';

/** A mandate in its holder's list. `phase` is its status by its events; the passing of time is judged on reading. */
export type MandateListItem = GrantedMandate & {
  readonly phase: 'open' | 'pending' | 'exhausted' | 'paused' | 'expired' | 'revoked';
};

/** The mandates of each holder, by the start of their validity. */
export const mandatesProjection: Projection<MandateListItem, readonly [typeof mandates]> = {
  name: 'mandates',
  version: 7,
  from: [mandates],
  indexes: [{ fields: ['holder', 'startsAt'] }, { fields: ['phase'] }, { fields: ['expiresAt'] }],
  documentsOf: ({ id }) => [id],
  evolve: (item, event) => {
    const mandate = evolveMandate(item ?? { kind: 'none' }, event);
    return mandate.kind === 'granted' ? { ...mandate, phase: phaseOf(mandate) } : null;
  },
};

const phaseOf = (mandate: GrantedMandate): MandateListItem['phase'] => {
  const { pending, revokedAt, expiredAt, consumed, limit } = mandate;
  if (revokedAt !== null) return 'revoked';
  if (expiredAt !== null) return 'expired';
  if (pending) return 'pending';
  if (isPaused(mandate)) return 'paused';
  return consumed === limit.amount ? 'exhausted' : 'open';
};
