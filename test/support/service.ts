import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '#config';
import { StoreUnavailable } from '#event-store';
import { SystemClock } from '#kernel';
import { Clients } from '#oauth';
import { createLogger, openPorts, retryUntilAvailable } from '#runtime';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';
import { startProjector } from '../../apps/projector/src/start.js';
import { lentPorts } from './lent-ports.js';
import { memoryPorts } from './memory-ports.js';
import { areServersUsed, type Environment, storesOf } from './stores.js';

export { newFolder, ownFolder, removeFolder } from '#testing';
export type { Environment } from './stores.js';

/** Tests let time pass for a service, and start again on what it wrote: in the future of this machine. */
export const LATER: Environment = { ALLOW_CLOCK_AHEAD: 'on' };

/** A writer that returns shows its write in the lists (rule 25), also on a machine that is busy for so many ms. */
export const PATIENCE = 60_000;

const configOf = (stores: Environment, environment: Environment): Config =>
  readConfig({ PORT: '0', PASSWORD_COST: '10', ...LATER, ...stores, ...environment });

/** The whole service in this process on a free port, on the files in `folder`; with servers a projector beside it. */
export const startService = async (folder: string, environment: Environment = {}): Promise<RunningApi> =>
  startWith(configOf(storesOf(folder), environment), openPorts);

/** The same on stores in memory, for what is not about files, or against servers on those. It is gone once it stops. */
export const startServiceInMemory = async (environment: Environment = {}): Promise<RunningApi> =>
  areServersUsed()
    ? startService(randomBytes(3).toString('hex'), environment)
    : startWith(configOf({ DATA_DIR: NO_FOLDER }, environment), () => memoryPorts());

/** Where nothing is. */
const NO_FOLDER = join(tmpdir(), 'alcada-in-memory');

const startWith = async (config: Config, open: typeof openPorts): Promise<RunningApi> => {
  const logger = createLogger('silent');
  const api = await startApi(config, logger, open);
  api.dependencies.readModels.patience = PATIENCE;
  if (config.servers === null) return api;
  const projector = await startProjector(config, logger, () => Promise.resolve(lentPorts(api.dependencies)));
  await retryUntilAvailable(api.dependencies.clock, 'the event log', () => settled(api));
  const stop = async () => {
    await projector.stop();
    await api.stop();
  };
  return { ...api, stop };
};

/** Waits until the lists of a service show all that its log holds, whoever wrote it. */
export const settled = async ({ dependencies: { events, readModels } }: RunningApi): Promise<void> => {
  const head = await events.head();
  if (head) await readModels.caughtUp(head.position);
};

/** A second agent beside the pilot, for services that know it. */
export const OTHER_AGENT = { clientId: 'outro-agente', secret: 'segredo-do-outro' } as const;

export const registerOtherAgent = async ({ dependencies: { documents, oauthSettings } }: RunningApi): Promise<void> => {
  const [pilot] = oauthSettings.clients;
  if (!pilot) throw new Error('the configuration has a pilot');
  await new Clients(documents).ensure({ ...pilot, ...OTHER_AGENT });
};

/** Lets time pass for a service: its clock runs forwards only, and may be corrected forwards (docs/consistency.md, rule 16). */
export const letPass = ({ dependencies: { clock } }: RunningApi, milliseconds: number): void => {
  if (!(clock instanceof SystemClock)) throw new Error('the service runs by another clock');
  clock.startAt(new Date(Date.parse(clock.now()) + milliseconds).toISOString());
};

/** The log of a service refuses the next append to such a stream, once, as if the disk were full. */
export const failNextAppend = ({ dependencies: { events } }: RunningApi, prefix: string): void => {
  const append = events.append.bind(events);
  const failing: typeof append = async (stream, ...rest) => {
    if (!stream.startsWith(prefix)) return append(stream, ...rest);
    Object.assign(events, { append });
    throw new StoreUnavailable('the disk is full');
  };
  Object.assign(events, { append: failing });
};
