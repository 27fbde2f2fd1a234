import type { Document } from '#documents';
import type { Accounts } from '#identity';
import { type Clock, type Instant, millisecondsOf, plus } from '#kernel';
import { noticeMail } from './notice-mail.js';
import { mailsOf, NOTICE_TYPES } from './notice-types.js';
import type { Notices, StoredNotice } from './notices.js';
import { MailFailure, type Smtp } from './smtp.js';

/** In what time (ms) one mail about a matter goes out, or of some matters a few. */
const QUIET = 600_000;
/** How long (ms) after what it is about a mail is still sent: later it helps nobody, and the page has the notice. */
const FRESH = 3_600_000;
/** How long (ms) a mail waits that the server refused for now. */
const LATER = 60_000;

/** What became of a mail: `failed`: it is tried again. */
export type MailOutcome = 'sent' | 'failed' | 'refused' | 'too_late';

export interface MailFigures {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export interface MailSenderParts {
  readonly notices: Notices;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly smtp: Smtp;
  readonly siteUrl: string;
  /** How long (ms) a payment waits for its traveller's word. */
  readonly challenge: number;
  readonly onOutcome: (outcome: MailOutcome) => void;
  readonly onError: (error: unknown) => void;
}

/** Sends the mails about notices, each at least once: one a matter and ten minutes. */
export class MailSender {
  constructor(private readonly parts: MailSenderParts) {}

  /** Sends what is due. @throws MailFailure where none can be sent now */
  async send(signal: AbortSignal): Promise<void> {
    const { notices, clock } = this.parts;
    while (!signal.aborted) {
      const due = await notices.due(clock.now());
      if (!due) return;
      await this.handle(due);
    }
  }

  /** What waits for a mail about it, and for how long (s) the first of these mails has been due. */
  async figures(): Promise<MailFigures> {
    const { notices, clock } = this.parts;
    const now = clock.now();
    const [waiting, due] = await Promise.all([notices.waiting(), notices.due(now)]);
    const since = due?.body.mailAt ?? now;
    return { waiting, oldestSeconds: (millisecondsOf(now) - millisecondsOf(since)) / 1_000 };
  }

  private async handle({ body: { matter } }: Document<StoredNotice>): Promise<void> {
    const { notices, accounts, clock, onOutcome } = this.parts;
    const now = clock.now();
    const waiting = await notices.waitingOf(matter);
    const isLate = ({ body }: Document<StoredNotice>) => !body.isRead && now >= this.endOf(body);
    const isFresh = (notice: Document<StoredNotice>) => !notice.body.isRead && !isLate(notice);
    await notices.settle(idsOf(waiting.filter((notice) => !isFresh(notice))), null);
    if (waiting.some(isLate)) onOutcome('too_late');
    const fresh = byWeight(waiting.filter(isFresh));
    const [first] = fresh;
    if (!first) return;
    const before = await notices.mailOf(matter, mailsOf(first.body.type));
    if (before !== null && now < plus(before, QUIET)) return notices.postpone(idsOf(fresh), plus(before, QUIET));
    const to = await accounts.mailTo(first.body.holder);
    if (to === null) return notices.settle(idsOf(fresh), null);
    try {
      const { siteUrl, smtp } = this.parts;
      await smtp.send(noticeMail({ type: first.body.type, id: first.id, count: fresh.length, to, siteUrl }));
      onOutcome('sent');
      await notices.settle(idsOf(fresh), now);
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      onOutcome(error.extent === 'final' ? 'refused' : 'failed');
      if (error.extent === 'server') throw error;
      this.parts.onError(error);
      if (error.extent === 'final') await notices.settle(idsOf(fresh), null);
      else await notices.postpone(idsOf(fresh), plus(now, LATER));
    }
  }

  private endOf({ type, at }: StoredNotice): Instant {
    return plus(at, type === 'challenge.requested' ? this.parts.challenge : FRESH);
  }
}

const idsOf = (notices: readonly Document<StoredNotice>[]): readonly string[] => notices.map(({ id }) => id);

/** The weightiest first, and of those alike the newest. */
const byWeight = (notices: readonly Document<StoredNotice>[]): readonly Document<StoredNotice>[] =>
  [...notices].sort(
    ({ body: one }, { body: other }) =>
      NOTICE_TYPES.indexOf(one.type) - NOTICE_TYPES.indexOf(other.type) || (one.key < other.key ? 1 : -1),
  );
