import type { Api } from '../../apps/cli/src/agent/index.js';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt, apiAt, BRUNO } from './agent.js';
import { type Environment, newFolder, OTHER_AGENT, removeFolder, startServiceWithTwoClients } from './service.js';

/** A running service and those who use it. */
export interface Setting {
  readonly folder: string;
  readonly service: RunningApi;
  readonly origin: string;
  /** The pilot agent, let in by Ana for a whole purchase. */
  readonly ana: Api;
  /** The pilot agent, let in by Bruno. */
  readonly bruno: Api;
  /** Another agent, let in by Ana. */
  readonly otherOfAna: Api;
  /** Anybody, without a token. */
  readonly anyone: Api;
  readonly close: () => Promise<void>;
}

export const openSetting = async (environment: Environment = {}): Promise<Setting> => {
  const folder = await newFolder();
  const service = await startServiceWithTwoClients(folder, environment);
  const { origin } = service;
  return {
    folder,
    service,
    origin,
    ana: await agentAt(origin),
    bruno: await agentAt(origin, { traveller: BRUNO }),
    otherOfAna: await agentAt(origin, { client: OTHER_AGENT }),
    anyone: apiAt(origin),
    close: async () => {
      await service.stop();
      await removeFolder(folder);
    },
  };
};
