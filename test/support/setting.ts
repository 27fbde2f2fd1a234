import type { Api } from '../../apps/cli/src/agent/index.js';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt, apiAt, BRUNO } from './agent.js';
import {
  type Environment,
  newFolder,
  OTHER_AGENT,
  removeFolder,
  startService,
  startServiceWithTwoClients,
} from './service.js';

/** A running service with one traveller and one agent. */
export interface SmallSetting {
  readonly folder: string;
  readonly service: RunningApi;
  readonly origin: string;
  /** The pilot agent, let in by Ana for a whole purchase. */
  readonly ana: Api;
  /** Anybody, without a token. */
  readonly anyone: Api;
  readonly close: () => Promise<void>;
}

/** A running service and those who use it. */
export interface Setting extends SmallSetting {
  /** The pilot agent, let in by Bruno. */
  readonly bruno: Api;
  /** Another agent, let in by Ana. */
  readonly otherOfAna: Api;
}

const settingIn = async (folder: string, service: RunningApi): Promise<SmallSetting> => ({
  folder,
  service,
  origin: service.origin,
  ana: await agentAt(service.origin),
  anyone: apiAt(service.origin),
  close: async () => {
    await service.stop();
    await removeFolder(folder);
  },
});

export const openSmallSetting = async (environment: Environment = {}): Promise<SmallSetting> => {
  const folder = await newFolder();
  return settingIn(folder, await startService(folder, environment));
};

export const openSetting = async (environment: Environment = {}): Promise<Setting> => {
  const folder = await newFolder();
  const service = await startServiceWithTwoClients(folder, environment);
  return {
    ...(await settingIn(folder, service)),
    bruno: await agentAt(service.origin, { traveller: BRUNO }),
    otherOfAna: await agentAt(service.origin, { client: OTHER_AGENT }),
  };
};
