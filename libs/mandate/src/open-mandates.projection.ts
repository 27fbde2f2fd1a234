import { mandates } from './mandate.decider.js';
import { agentOf, delegations } from './delegation/delegation.decider.js';
import { type Instant, plus } from '#kernel';
import type { Projection } from '#read-models';

/** A mandate that still counts in its delegation. */
export interface OpenMandateItem {
  readonly holder: string;
  readonly clientId: string;
  /** When recovery looks after it: at its end, or where it was opened and never created. */
  readonly dueAt: Instant;
  /** Whether it is to end as its delegation says: what is created or goes on meanwhile puts that off no more. */
  readonly isEnding?: true;
}

/** How long (ms) a mandate that was opened may take to be created before it is given up. */
const CREATION = 60_000;

/** What an event changes: which mandates, and how each goes on, null: no further. Null where it changes none. */
interface Followed {
  readonly ids: readonly string[];
  readonly becomes: (mandate: OpenMandateItem | null) => OpenMandateItem | null;
}

const dueAt =
  (at: Instant, ending?: { readonly isEnding: true }): Followed['becomes'] =>
  (mandate) =>
    mandate && { ...mandate, dueAt: at, ...ending };
const unlessEnding =
  (at: Instant): Followed['becomes'] =>
  (mandate) =>
    mandate?.isEnding ? mandate : dueAt(at)(mandate);

const followed = (event: Parameters<typeof openMandatesProjection.evolve>[1]): Followed | null => {
  switch (event.type) {
    case 'MandateOpened': {
      const opened = { ...agentOf(event.id), dueAt: plus(event.data.openedAt, CREATION) };
      return { ids: [event.data.mandateId], becomes: () => opened };
    }
    case 'MandateClosed':
      return { ids: [event.data.mandateId], becomes: () => null };
    case 'AgentRevoked':
      return { ids: event.data.openMandates, becomes: dueAt(event.data.revokedAt, { isEnding: true }) };
    case 'SpendingCapSet':
      return { ids: event.data.ending, becomes: dueAt(event.data.setAt, { isEnding: true }) };
    case 'MandateCreated':
    case 'MandateNarrowed':
      return { ids: [event.id], becomes: unlessEnding(event.data.expiresAt) };
    case 'MandateRevoked':
      return { ids: [event.id], becomes: dueAt(event.data.revokedAt) };
    case 'MandateExpired':
      return { ids: [event.id], becomes: dueAt(event.data.expiredAt) };
    case 'AgentAuthorized':
    case 'ApprovalModeSet':
    case 'AgentPaused':
    case 'AgentResumed':
    case 'OpenMandateNarrowed':
    case 'MandateReserved':
    case 'MandateConsumed':
    case 'MandateReleased':
    case 'MandateChargeRefused':
    case 'MandateAbandoned':
    case 'MandateRequested':
    case 'MandateApproved':
    case 'MandatePaused':
    case 'MandateResumed':
    case 'MandateRefunded':
    case 'MandateRefundCounted':
      return null;
  }
};

/** The recovery worker's work list of mandates, by id: a hint, the streams decide (docs/consistency.md, rule 19). */
export const openMandatesProjection: Projection<OpenMandateItem, readonly [typeof delegations, typeof mandates]> = {
  name: 'open-mandates',
  version: 2,
  from: [delegations, mandates],
  indexes: [{ fields: ['dueAt'] }],
  documentsOf: (event) => followed(event)?.ids ?? [],
  evolve: (mandate, event) => followed(event)?.becomes(mandate) ?? null,
};
