import type { Logger } from 'pino';
import { Travellers } from '#booking';
import type { Config } from '#config';
import { lazily } from '#kernel';
import { MessageKeys } from '#oauth';
import { Dispatcher, Outbox, OutboxWriter, type PlatformPosts } from '#outbox';
import { MessageSigner, orderPosts } from '#ucp';
import type { Dependencies } from './dependencies.js';
import { notifierOf } from './notifying.js';
import { sealing } from './sealing.js';

/** What goes on with the log by itself and has effects of its own. */
export interface Reactor {
  readonly start: () => void;
  /** Finishes what is under way. */
  readonly stop: () => Promise<void>;
}

/** The reactors of this process, not started yet. With servers any number of processes may have them, and leases say which work. */
export const reactorsOf = (dependencies: Dependencies, config: Config, logger: Logger): readonly Reactor[] => {
  const { events, readModelStore: store, clock, leases, locators, telemetry } = dependencies;
  const { endpoints, deliveries, remotePosts: posts, projecting } = dependencies;
  const { servers, times, addresses } = config;
  const lease = servers && { leases, milliseconds: times.projectionLease };
  const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what);
  // Where the stores are files, the thread writes them that keeps up the read models.
  const writing = projecting
    ? []
    : [new OutboxWriter({ events, store, clock, lease, onError: failed('public events are not written') })];
  const dispatcher: Dispatcher = new Dispatcher({
    ...{ endpoints, deliveries, posts, clock, lease, urls: addresses.urls },
    outbox: new Outbox(events, store, locators),
    platformPosts: platformPostsOf(dependencies, config),
    onSent: telemetry?.reportSending(() => dispatcher.figures) ?? (() => undefined),
    onError: failed('webhooks are not sent'),
  });
  return [sealing(dependencies, config, logger), ...writing, notifierOf(dependencies, config, logger), dispatcher];
};

/** What platforms of UCP are told of their orders; null: none buys here. */
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
