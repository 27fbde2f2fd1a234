import { z } from 'zod';
import { type Instant, recorder } from '#kernel';
import { type EventOf, instant, money, party } from './schema.js';
import { streamType } from './stream-type.js';

/** Events of `security-<yyyy-mm-dd>`, for auditors of the access itself. Ids only: no token, e-mail or address. */
export const securityEvents = {
  /** A redeemed code came back: its grant and every token of it are dead (RFC 9700 §2.1.1). */
  CodeReplayed: z.object({ ...party, grantId: z.string(), replayedAt: instant }),
  /** A refresh token that was rotated away came back: its grant and every token of it are dead (RFC 9700 §4.14.2). */
  RefreshReused: z.object({ ...party, grantId: z.string(), reusedAt: instant }),
  /** The agent gave its grant back by this kind of token (RFC 7009). */
  TokenRevoked: z.object({
    ...party,
    grantId: z.string(),
    kind: z.enum(['access_token', 'refresh_token']),
    revokedAt: instant,
  }),
  /** Logins of one account, null: of none there is, were slowed down after `count` failures. */
  LoginThrottled: z.object({ holder: z.string().nullable(), count: z.int().positive(), throttledAt: instant }),
  /** An operator withdrew this key, which signed access tokens (RFC 7517 §4.5). */
  SigningKeyRevoked: z.object({ kid: z.string(), revokedAt: instant }),
  /** The log of this origin ended, since stores were put back. `size` and `root` (base64) may be later than these stores. */
  LogSucceeded: z.object({
    origin: z.string(),
    size: z.int().nonnegative(),
    root: z.string(),
    successor: z.string(),
    begunAt: instant,
  }),
  /** A mandate of `limit` would have passed the agent's `cap`, of which `used` counts already (rule 19). */
  CapRefused: z.object({ ...party, mandateId: z.string(), limit: money, cap: money, used: money, refusedAt: instant }),
};

export type SecurityEvent = EventOf<typeof securityEvents>;

/** `security-<UTC day>`, found by an instant of that day. */
export const securityLog = streamType({
  category: 'security',
  id: (at: Instant) => at.slice(0, 10),
  events: securityEvents,
  decider: recorder<SecurityEvent>(),
});

export const AUDIT_PAGES = [
  'home',
  'search',
  'address',
  'movements',
  'month',
  'traveller',
  'agent',
  'mandate',
  'order',
  'booking',
] as const;

/** Events of `audit-<yyyy-mm-dd>`: what auditors looked at. Ids only; what has not the form of one is not written down. */
export const auditEvents = {
  AuditPageViewed: z.object({
    /** The auditor's id, a random UUID. */
    auditor: z.string(),
    page: z.enum(AUDIT_PAGES),
    /** Id of what the page is about; of an agent for one traveller `<holder>.<clientId>`; null: of nothing in particular. */
    subject: z
      .string()
      .regex(/^[\w.-]{1,128}$/)
      .nullable(),
    viewedAt: instant,
  }),
};

export type AuditPage = (typeof AUDIT_PAGES)[number];
export type AuditEvent = EventOf<typeof auditEvents>;
