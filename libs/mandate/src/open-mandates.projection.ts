import { mandates } from './mandate.decider.js';
import { delegations } from './delegation/delegation.decider.js';
import { idOf } from '#events';
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

/** The recovery worker's work list of mandates, by id: a hint, the streams decide (docs/consistency.md, rule 19). */
export const openMandatesProjection: Projection<OpenMandateItem, readonly [typeof delegations, typeof mandates]> = {
  name: 'open-mandates',
  version: 2,
  from: [delegations, mandates],
  indexes: [{ fields: ['dueAt'] }],
  documentsOf: (event) => {
    switch (event.type) {
      case 'MandateOpened':
      case 'MandateClosed':
        return [event.data.mandateId];
      case 'AgentRevoked':
        return event.data.openMandates;
      case 'SpendingCapSet':
        return event.data.ending;
      case 'MandateCreated':
      case 'MandateNarrowed':
      case 'MandateRevoked':
      case 'MandateExpired':
        return [event.id];
      case 'AgentAuthorized':
      case 'ApprovalModeSet':
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
        return [];
    }
  },
  evolve: (mandate, event) => {
    switch (event.type) {
      case 'MandateOpened':
        return { ...agentOf(event.stream), dueAt: plus(event.data.openedAt, CREATION) };
      case 'MandateCreated':
        return mandate && (mandate.isEnding ? mandate : { ...mandate, dueAt: event.data.expiresAt });
      case 'MandateNarrowed':
        return mandate && (mandate.isEnding ? mandate : { ...mandate, dueAt: event.data.expiresAt });
      case 'MandateRevoked':
        return mandate && { ...mandate, dueAt: event.data.revokedAt };
      case 'MandateExpired':
        return mandate && { ...mandate, dueAt: event.data.expiredAt };
      case 'AgentRevoked':
        return mandate && { ...mandate, dueAt: event.data.revokedAt, isEnding: true };
      case 'SpendingCapSet':
        return mandate && { ...mandate, dueAt: event.data.setAt, isEnding: true };
      case 'MandateClosed':
      case 'AgentAuthorized':
      case 'ApprovalModeSet':
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
        return null;
    }
  },
};

/** Holder and client of `delegation-<holder>.<clientId>`; a holder's id has no dot. */
const agentOf = (stream: string): { readonly holder: string; readonly clientId: string } => {
  const [holder = '', ...rest] = idOf(stream).split('.');
  return { holder, clientId: rest.join('.') };
};
