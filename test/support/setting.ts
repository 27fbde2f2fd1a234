import type { Api } from '../../apps/cli/src/agent/index.js';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt, apiAt, BRUNO } from './agent.js';
import {
  type Environment,
  newFolder,
  OTHER_AGENT,
  registerOtherAgent,
  removeFolder,
  startService,
  startServiceInMemory,
} from './service.js';

/** A running service with one traveller and one agent. */
export interface SmallSetting {
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

/** One whose service writes to the files of a folder. */
export interface SettingOnFiles extends Setting {
  readonly folder: string;
}

const smallSettingAt = async (service: RunningApi): Promise<SmallSetting> => ({
  service,
  origin: service.origin,
  ana: await agentAt(service.origin),
  anyone: apiAt(service.origin),
  close: () => service.stop(),
});

const settingAt = async (service: RunningApi): Promise<Setting> => {
  await registerOtherAgent(service);
  return {
    ...(await smallSettingAt(service)),
    bruno: await agentAt(service.origin, { traveller: BRUNO }),
    otherOfAna: await agentAt(service.origin, { client: OTHER_AGENT }),
  };
};

export const openSmallSetting = async (environment: Environment = {}): Promise<SmallSetting> =>
  smallSettingAt(await startServiceInMemory(environment));

export const openSetting = async (environment: Environment = {}): Promise<Setting> =>
  settingAt(await startServiceInMemory(environment));

export const openSettingOnFiles = async (environment: Environment = {}): Promise<SettingOnFiles> => {
  const folder = await newFolder();
  const setting = await settingAt(await startService(folder, environment));
  const close = async () => {
    await setting.close();
    await removeFolder(folder);
  };
  return { ...setting, folder, close };
};
