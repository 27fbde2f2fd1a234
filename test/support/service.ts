import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#config';
import { SystemClock } from '#kernel';
import { createLogger } from '../../apps/api/src/logger.js';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string>>;

/** A folder for the data of one test. */
export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'alcada-test-'));

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** The whole service in this process, on a free port of 127.0.0.1. */
export const startService = (folder: string, environment: Environment = {}): Promise<RunningApi> =>
  startApi(readConfig({ PORT: '0', DATA_DIR: folder, PASSWORD_COST: '10', ...environment }), createLogger('silent'));

/** A second agent beside the pilot. */
export const OTHER_AGENT = { clientId: 'outro-agente', secret: 'segredo-do-outro' } as const;

/** The service with a second client: one that an earlier start registered is still known. */
export const startServiceWithTwoClients = async (
  folder: string,
  environment: Environment = {},
): Promise<RunningApi> => {
  const { clientId: PILOT_CLIENT_ID, secret: PILOT_CLIENT_SECRET } = OTHER_AGENT;
  const earlier = await startService(folder, { ...environment, PILOT_CLIENT_ID, PILOT_CLIENT_SECRET });
  await earlier.stop();
  return startService(folder, environment);
};

/** Lets time pass for a service: its clock runs forwards only, and may be corrected forwards (consistency.md, rule 16). */
export const letPass = ({ parts: { clock } }: RunningApi, milliseconds: number): void => {
  if (!(clock instanceof SystemClock)) throw new Error('the service runs by another clock');
  clock.startAt(new Date(Date.parse(clock.now()) + milliseconds).toISOString());
};
