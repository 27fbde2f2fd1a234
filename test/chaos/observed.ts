import { readConfig } from '#config';
import { createLogger, openEmbeddedPorts } from '#runtime';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';
import { type Intercept, interceptedDocuments, interceptedEventStore } from '../support/intercept.js';
import { type Environment, LATER, PATIENCE } from '../support/service.js';

/** What happens in a purchase is all that is to be seen: the log is not sealed meanwhile. */
export const UNSEALED: Environment = { TLOG_INTERVAL: '3600' };

/** The whole service in this process, with somebody between its use cases and its log and documents. */
export const startObserved = async (
  folder: string,
  intercept: Intercept,
  environment: Environment,
): Promise<RunningApi> => {
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    PASSWORD_COST: '10',
    ...UNSEALED,
    ...LATER,
    ...environment,
  });
  const api = await startApi(config, createLogger('silent'), async () => {
    const ports = await openEmbeddedPorts(config);
    const events = interceptedEventStore(ports.events, intercept);
    return { ...ports, events, documents: interceptedDocuments(ports.documents, intercept) };
  });
  api.dependencies.readModels.patience = PATIENCE;
  return api;
};
