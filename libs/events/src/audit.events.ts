import { z } from 'zod';
import { type EventOf, instant } from './schema.js';

export const AUDIT_PAGES = ['home', 'search', 'traveller', 'agent', 'mandate', 'order', 'booking'] as const;

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
