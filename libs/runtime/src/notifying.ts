import type { Logger } from 'pino';
import { type Config, masked } from '#config';
import { Accounts, Passwords } from '#identity';
import { MailSender, Notices, NoticeWriter, Notifier, Outbox, Smtp } from '#outbox';
import type { Dependencies } from './dependencies.js';

/** What keeps the notices of this process up with its log and mails them, not started yet. */
export const notifierOf = (dependencies: Dependencies, config: Config, logger: Logger): Notifier => {
  const { events, readModelStore, documents, clock, ids, leases, locators, oauthSettings, telemetry } = dependencies;
  const { mail, servers, times, addresses } = config;
  const accounts = new Accounts(documents, ids, new Passwords(oauthSettings));
  const notices = new Notices(documents);
  const outbox = new Outbox(events, readModelStore, locators);
  const onError = (error: unknown) => logger.warn({ err: error }, 'notices wait, or mails about them');
  const sending = { notices, accounts, clock, siteUrl: addresses.urls.site, challenge: times.challenge, onError };
  const notifier = new Notifier({
    writer: new NoticeWriter({ outbox, events, accounts, notices, isMailing: mail !== null }),
    sender:
      mail && new MailSender({ ...sending, smtp: new Smtp(mail), onOutcome: telemetry?.mails ?? (() => undefined) }),
    prepare: () => accounts.prepare(),
    lease: servers && { leases, milliseconds: times.projectionLease },
    clock,
    onError,
  });
  telemetry?.reportMails(() => notifier.figures());
  return notifier;
};

/** Says to an operator how travellers hear of things. */
export const mailLine = ({ mail }: Pick<Config, 'mail'>): string =>
  `  Mail            ${mail ? `through ${masked(mail.url)}` : 'none (SMTP_URL): travellers find notices on /conta'}`;
