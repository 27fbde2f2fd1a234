import type { Logger } from 'pino';
import { Travellers } from '#booking';
import { type Config, masked } from '#config';
import { lazily } from '#kernel';
import { MessageKeys } from '#oauth';
import {
  Dispatcher,
  MailSender,
  Notices,
  NoticeWriter,
  Notifier,
  Outbox,
  OutboxWriter,
  type PlatformPosts,
  Smtp,
} from '#outbox';
import { MessageSigner, orderPosts } from '#ucp';
import { Accounts, Passwords } from '#identity';
import { FollowedPlaces } from '#event-store';
import { Sealer, TreeBuilder, Witnesses } from '#transparency';
import type { Dependencies } from './dependencies.js';

/** What goes on with the log by itself and has effects of its own. */
export interface Reactor {
  readonly start: () => void;
  /** Finishes what is under way. */
  readonly stop: () => Promise<void>;
}

/** The reactors of this process, not started yet. With servers any number of processes may have them, and leases say which work. */
export const reactorsOf = (dependencies: Dependencies, config: Config, logger: Logger): readonly Reactor[] => {
  const { events, readModelStore: store, clock, telemetry } = dependencies;
  const { endpoints, deliveries, remotePosts: posts, projecting } = dependencies;
  const lease = leaseOf(dependencies, config);
  const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what);
  // Where the stores are files, the thread writes them that keeps up the read models.
  const writing = projecting
    ? []
    : [new OutboxWriter({ events, store, clock, lease, onError: failed('public events are not written') })];
  const dispatcher: Dispatcher = new Dispatcher({
    ...{ endpoints, deliveries, posts, clock, lease, urls: config.addresses.urls },
    outbox: outboxOf(dependencies),
    platformPosts: platformPostsOf(dependencies, config),
    onSent: telemetry?.reportSending(() => dispatcher.figures) ?? (() => undefined),
    onError: failed('webhooks are not sent'),
  });
  return [sealing(dependencies, config, logger), ...writing, notifierOf(dependencies, config, logger), dispatcher];
};

const leaseOf = ({ leases }: Dependencies, { servers, times }: Config) =>
  servers && { leases, milliseconds: times.projectionLease };

const outboxOf = ({ events, readModelStore, locators }: Dependencies): Outbox =>
  new Outbox(events, readModelStore, locators);

/** The messages to platforms of UCP about their orders; null: none buys here. */
const platformPostsOf = (dependencies: Dependencies, config: Config): PlatformPosts | null => {
  const { platforms, documents, clock, aggregates, locators, oauthSettings, ucpSettings: settings } = dependencies;
  if (!platforms) return null;
  const keys = new MessageKeys(documents, clock, oauthSettings);
  const signer = new MessageSigner(keys, clock);
  const travellers = new Travellers(documents);
  const { urls } = config.addresses;
  const posts = orderPosts({ platforms, signer, aggregates, locators, travellers, settings, urls });
  const opened = lazily(() => keys.start());
  return async (profile, place) => {
    await opened();
    return posts(profile, place);
  };
};

/** What keeps the notices of this process up with its log and mails them, not started yet. */
const notifierOf = (dependencies: Dependencies, config: Config, logger: Logger): Notifier => {
  const { events, documents, clock, ids, oauthSettings, telemetry } = dependencies;
  const { mail, times, addresses } = config;
  const accounts = new Accounts(documents, ids, new Passwords(oauthSettings));
  const notices = new Notices(documents);
  const onError = (error: unknown) => logger.warn({ err: error }, 'notices wait, or mails about them');
  const sending = { notices, accounts, clock, siteUrl: addresses.urls.site, challenge: times.challenge, onError };
  const notifier = new Notifier({
    writer: new NoticeWriter({ outbox: outboxOf(dependencies), events, accounts, notices, isMailing: mail !== null }),
    sender:
      mail && new MailSender({ ...sending, smtp: new Smtp(mail), onOutcome: telemetry?.mails ?? (() => undefined) }),
    prepare: () => accounts.prepare(),
    lease: leaseOf(dependencies, config),
    clock,
    onError,
  });
  telemetry?.reportMails(() => notifier.figures());
  return notifier;
};

/** The sealer of this process, not started yet. With servers any number may run, and a lease says which of them works. */
const sealing = (dependencies: Dependencies, config: Config, logger: Logger) => {
  const { transparency, growing, telemetry } = dependencies;
  const events = new FollowedPlaces(transparency.events);
  const failed = telemetry?.reportSealing(() => sealer.figures);
  const sealer = new Sealer(transparency, {
    growing: growing?.(transparency.secret) ?? new TreeBuilder({ ...transparency, events }),
    interval: config.times.sealing,
    lease: leaseOf(dependencies, config),
    onError: (error) => {
      failed?.();
      logger.error({ err: error }, 'the log is not sealed');
    },
  });
  const witnesses = witnessing(dependencies, config, logger, () => sealer.figures !== null);
  return {
    start: () => {
      sealer.start();
      witnesses?.start();
      for (const { build } of transparency.past)
        build().catch((error: unknown) => logger.error({ err: error }, 'the tiles of a past log are not built'));
    },
    stop: async () => {
      await Promise.all([witnesses?.stop(), sealer.stop()]);
      events.stop();
    },
  };
};

/** Offers what this process seals to the witnesses, where there are any. It is not started yet. */
const witnessing = (
  { transparency, telemetry, clock }: Dependencies,
  { times }: Config,
  logger: Logger,
  isSealing: () => boolean,
): Witnesses | null => {
  const { cosignatures, log } = transparency;
  if (!cosignatures) return null;
  const count = telemetry?.witnesses ?? (() => undefined);
  return new Witnesses({
    policy: cosignatures.policy,
    cosignatures,
    head: async () => (isSealing() ? log.offered() : null),
    clock,
    interval: times.sealing,
    observer: {
      onOffer: count,
      onTrouble: (witness, trouble, isRefusal) => {
        if (trouble === null) logger.info({ witness }, 'a witness cosigns again');
        else logger[isRefusal ? 'error' : 'warn']({ witness, trouble }, 'a witness does not cosign');
      },
    },
    onError: (error) => logger.error({ err: error }, 'the head cannot be offered to witnesses'),
  });
};

/** Says to an operator how travellers hear of things. */
export const mailLine = ({ mail }: Pick<Config, 'mail'>): string =>
  `  Mail            ${mail ? `through ${masked(mail.url)}` : 'none (SMTP_URL): travellers find notices on /conta'}`;
