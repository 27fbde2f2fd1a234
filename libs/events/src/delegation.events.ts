import { z } from 'zod';
import { type EventOf, instant, money, party, scopes } from './schema.js';

/** Events of `delegation-<holder>.<clientId>`: what a traveller lets one agent do (rule 19). */
export const delegationEvents = {
  AgentAuthorized: z.object({ ...party, grantId: z.string(), scopes, authorizedAt: instant }),
  /** What this agent may spend in all; null: no cap any more. The first cap starts the count. */
  SpendingCapSet: z.object({ cap: money.nullable(), setAt: instant }),
  MandateOpened: z.object({ mandateId: z.string(), limit: money, expiresAt: instant, openedAt: instant }),
  /** Nothing opens and nothing is charged until a new consent. `openMandates`: the ids of those to be ended with it. */
  AgentRevoked: z.object({ openMandates: z.array(z.string()).readonly(), revokedAt: instant }),
  MandateClosed: z.object({ mandateId: z.string(), consumed: money, closedAt: instant }),
};

export type DelegationEvent = EventOf<typeof delegationEvents>;
