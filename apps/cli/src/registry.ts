import type { Config } from '#config';
import { openRegistry, type Registry } from '#oauth';
import { oauthSettings } from '#runtime';
import { withStores } from './stores.js';

/** Does `work` on the registered clients and travellers. @throws UnusableFile */
export const withRegistry = <Result>(config: Config, work: (registry: Registry) => Promise<Result>): Promise<Result> =>
  withStores(config, async (ports) => work(await openRegistry(ports, oauthSettings(config))));
