import { readConfig } from '#config';
import { createLogger, openEmbeddedPorts, type Ports } from '#runtime';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';
import { type Intercept, interceptedDocuments, interceptedEventStore } from '../support/intercept.js';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { lent } from '../support/lent-ports.js';
import { type Environment, LATER } from '../support/service.js';
import { UNSEALED } from './observed.js';

export interface TwoProcesses {
  /** Its ports have somebody between, and its recovery worker looks for work once, at start. */
  readonly slow: RunningApi;
  readonly other: RunningApi;
  readonly stop: () => Promise<void>;
}

const portsOf = ({ clock, ids, events, documents }: Ports, intercept: Intercept): Ports => ({
  clock,
  ids,
  events: lent(interceptedEventStore(events, intercept)),
  documents: lent(interceptedDocuments(documents, intercept)),
  readModelStore: new MemoryDocuments(clock), // its own: read models are rebuilt anyway
  projecting: null, // of the files' own
  growing: null,
  checking: null,
});

export const startTwo = async (
  folder: string,
  intercept: Intercept,
  environment: Environment,
): Promise<TwoProcesses> => {
  const config = (more: Environment = {}) =>
    readConfig({ PORT: '0', DATA_DIR: folder, PASSWORD_COST: '10', ...UNSEALED, ...LATER, ...environment, ...more });
  const logger = createLogger('silent');
  const ports = await openEmbeddedPorts(config());
  const other = await startApi(config(), logger, () => Promise.resolve(ports));
  const once = config({ RECOVERY_PAUSE_SECONDS: '3600' });
  const slow = await startApi(once, logger, () => Promise.resolve(portsOf(ports, intercept)));
  return {
    slow,
    other,
    stop: async () => {
      await slow.stop();
      await other.stop();
    },
  };
};
