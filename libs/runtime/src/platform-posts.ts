import { Travellers } from '#booking';
import type { Config } from '#config';
import { lazily } from '#kernel';
import { MessageKeys } from '#oauth';
import { MessageSigner, orderPosts } from '#ucp';
import type { PlatformPosts } from '#webhooks';
import type { Dependencies } from './dependencies.js';

/** What platforms of UCP are told of their orders; null: none buys here. */
export const platformPostsOf = (dependencies: Dependencies, config: Config): PlatformPosts | null => {
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
