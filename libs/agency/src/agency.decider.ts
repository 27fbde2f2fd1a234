import type { AgencyEvent } from '#events';
import { type Decider, type Instant, type Money, Refusal, type Scope } from '#kernel';

/** A mandate of this agent that still counts: not closed. */
export interface OpenMandate {
  readonly limit: Money;
  readonly expiresAt: Instant;
}

/** What a traveller lets one agent do (consistency.md, rule 19). */
export type Agency =
  | { readonly status: 'unknown' }
  | { readonly status: 'authorized'; readonly openMandates: Readonly<Record<string, OpenMandate>> };

export type AgencyCommand =
  | {
      readonly type: 'AuthorizeAgent';
      readonly holder: string;
      readonly clientId: string;
      readonly grantId: string;
      readonly scopes: readonly Scope[];
    }
  | { readonly type: 'OpenMandate'; readonly mandateId: string; readonly limit: Money; readonly expiresAt: Instant }
  | { readonly type: 'CloseMandate'; readonly mandateId: string; readonly consumed: Money };

/** The rules of `agency-<holder>.<clientId>`. A mandate is opened here before it is created in its own stream. */
export const agencyDecider: Decider<Agency, AgencyCommand, AgencyEvent> = {
  initialState: () => ({ status: 'unknown' }),

  decide: (command, agency) => {
    switch (command.type) {
      case 'AuthorizeAgent': {
        const { holder, clientId, grantId, scopes, now } = command;
        return [{ type: 'AgentAuthorized', data: { holder, clientId, grantId, scopes, authorizedAt: now } }];
      }
      case 'OpenMandate': {
        // A token outlives no authorization: without one it is worth nothing.
        if (agency.status === 'unknown') throw new Refusal('invalid_token');
        const { mandateId, limit, expiresAt, now } = command;
        if (Object.hasOwn(agency.openMandates, mandateId)) return [];
        return [{ type: 'MandateOpened', data: { mandateId, limit, expiresAt, openedAt: now } }];
      }
      case 'CloseMandate': {
        const { mandateId, consumed, now } = command;
        if (agency.status === 'unknown' || !Object.hasOwn(agency.openMandates, mandateId)) return [];
        return [{ type: 'MandateClosed', data: { mandateId, consumed, closedAt: now } }];
      }
    }
  },

  evolve: (agency, event) => {
    const openMandates = agency.status === 'authorized' ? agency.openMandates : {};
    switch (event.type) {
      case 'AgentAuthorized':
        return { status: 'authorized', openMandates };
      case 'MandateOpened': {
        const { mandateId, limit, expiresAt } = event.data;
        return { status: 'authorized', openMandates: { ...openMandates, [mandateId]: { limit, expiresAt } } };
      }
      case 'MandateClosed': {
        const { [event.data.mandateId]: _closed, ...others } = openMandates;
        return { status: 'authorized', openMandates: others };
      }
    }
  },
};
