import { type AuditEvent, auditEvents, type AuditPage, streamType } from '#events';
import { type Decider, DomainError, type Instant, plus, secondsUntil } from '#kernel';

/** A page that an auditor asks for. `subject` null: it is about nothing in particular. */
export interface View {
  readonly auditor: string;
  readonly page: AuditPage;
  readonly subject: string | null;
}

/** The last page that an auditor looked at, and how many they began to look at in that hour. */
interface LastView {
  readonly page: AuditPage;
  readonly subject: string | null;
  readonly viewedAt: Instant;
  readonly count: number;
}

/** The state of `audit-<yyyy-mm-dd>`: by auditor, and only those of the last hour (docs/consistency.md, rule 15). */
type AuditLog = Readonly<Record<string, LastView>>;

/** How long (ms) somebody who goes on looking at one page, step by step, looks at it once. */
const ONE_LOOK = 600_000;
/** How many looks of one auditor an hour is written down; beyond that nothing is shown (docs/decisions.md, Limits). */
export const LOOKS_AN_HOUR = 600;
const HOUR = 3_600_000;

const auditLogDecider: Decider<AuditLog, View, AuditEvent> = {
  initialState: () => ({}),

  decide: ({ auditor, page, subject, now }, log) => {
    const last = log[auditor];
    const isSame = last && last.page === page && last.subject === subject && page !== 'address';
    if (isSame && now < plus(last.viewedAt, ONE_LOOK)) return [];
    const hour = now.slice(0, 13);
    if (last && last.viewedAt.startsWith(hour) && last.count >= LOOKS_AN_HOUR) {
      const endsAt = plus(`${hour}:00:00.000Z`, HOUR);
      throw new DomainError(
        'rate_limited',
        { limit: 'audit-views', endsAt },
        { retryAfter: secondsUntil(endsAt, now) },
      );
    }
    return [{ type: 'AuditPageViewed', data: { auditor, page, subject, viewedAt: now } }];
  },

  evolve: (log, { data: { auditor, page, subject, viewedAt } }) => {
    const recent = Object.entries(log).filter(([, last]) => viewedAt < plus(last.viewedAt, HOUR));
    const last = log[auditor];
    const count = last?.viewedAt.slice(0, 13) === viewedAt.slice(0, 13) ? last.count + 1 : 1;
    return { ...Object.fromEntries(recent), [auditor]: { page, subject, viewedAt, count } };
  },
};

/** `audit-<UTC day>`, found by an instant of that day: what auditors looked at, written down before they see it. */
export const auditLog = streamType({
  category: 'audit',
  id: (at: Instant) => at.slice(0, 10),
  events: auditEvents,
  decider: auditLogDecider,
});
