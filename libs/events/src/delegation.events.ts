import { z } from 'zod';
import { pauseNumber } from './pause.events.js';
import { type EventOf, instant, money, party, scopes } from './schema.js';

/** Events of `delegation-<holder>.<clientId>`: what a traveller lets one agent do (rule 19). */
export const delegationEvents = {
  /** `redirectHost`: the host to which the code of this consent went. */
  AgentAuthorized: z.object({
    ...party,
    grantId: z.string(),
    scopes,
    authorizedAt: instant,
    redirectHost: z.string().optional(),
  }),
  /** What this agent may spend in all; null: no cap. The first cap starts the count. `ending`: ids of the mandates it ends. */
  SpendingCapSet: z.object({ cap: money.nullable(), ending: z.array(z.string()).readonly(), setAt: instant }),
  /** Whether the agent asks its traveller for each mandate, or opens mandates itself within the cap. */
  ApprovalModeSet: z.object({ asksFirst: z.boolean(), setAt: instant }),
  MandateOpened: z.object({ mandateId: z.string(), limit: money, expiresAt: instant, openedAt: instant }),
  /** An open mandate was narrowed: what of it counts against a cap from now on. */
  OpenMandateNarrowed: z.object({ mandateId: z.string(), limit: money, expiresAt: instant, narrowedAt: instant }),
  /** Nothing opens and nothing is charged until a new consent. `openMandates`: the ids of those to be ended with it. */
  AgentRevoked: z.object({ openMandates: z.array(z.string()).readonly(), revokedAt: instant }),
  /** Nothing opens until the pause of everything with this number, or a later one, is undone (rule 41). */
  AgentPaused: z.object({ pause: pauseNumber, pausedAt: instant }),
  AgentResumed: z.object({ pause: pauseNumber, resumedAt: instant }),
  /** `consumed`: all that was charged to it; what came back of that is counted by order. */
  MandateClosed: z.object({ mandateId: z.string(), consumed: money, closedAt: instant }),
  /** What came back of an order, once: of a mandate that is closed it lowers what is spent, of an open one when that is. */
  MandateRefundCounted: z.object({
    mandateId: z.string(),
    orderId: z.string(),
    amount: money,
    departsAt: instant.nullable(),
    countedAt: instant,
  }),
};

export type DelegationEvent = EventOf<typeof delegationEvents>;
