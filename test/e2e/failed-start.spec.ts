import { createServer } from 'node:net';
import { once } from 'node:events';
import { readConfig } from '#config';
import { closePorts, createLogger, openEmbeddedPorts, type Ports } from '#runtime';
import { startApi } from '../../apps/api/src/start.js';
import { type Intercept, interceptedDocuments, interceptedEventStore } from '../support/intercept.js';
import { type Environment, newFolder, removeFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';

stayEmbedded('it looks at who holds a folder');

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => removeFolder(folder));

const configOf = (environment: Environment = {}) =>
  readConfig({ PORT: '0', DATA_DIR: folder, PASSWORD_COST: '10', DEMO_TRAVELLERS: 'ana@example.com', ...environment });

const start = (intercept: Intercept, environment: Environment = {}, logger = createLogger('silent')) => {
  const config = configOf(environment);
  return startApi(config, logger, async () => {
    const ports = await openEmbeddedPorts(config);
    const events = interceptedEventStore(ports.events, intercept);
    return { ...ports, events, documents: interceptedDocuments(ports.documents, intercept) } satisfies Ports;
  });
};

const isFree = async (): Promise<boolean> => {
  await closePorts(await openEmbeddedPorts(configOf()));
  return true;
};

/** Steps that no start can do without: of the first thing that is opened to the last. */
const MUST = ['get secrets', 'append TimetableScheduled', 'get clients', 'insert accounts'];

describe('a start that fails', () => {
  it('at any kind of step leaves nothing open that it had opened', async () => {
    const steps = new Set<string>();
    const service = await start((call, work) => {
      steps.add(call);
      return work();
    });
    const called = [...steps];
    await service.stop();
    const failed: string[] = [];
    for (const step of swept({ short: MUST, middle: called, full: called })) {
      await removeFolder(folder);
      const failing = start((call, work) => (call === step ? Promise.reject(new Error(`no ${step}`)) : work()));
      // What runs by itself beside the start may fail, and is tried again.
      const running = await failing.catch((error: unknown) => void failed.push(String(error)));
      await running?.stop().catch(() => undefined);
      expect(await isFree()).toBe(true);
    }
    expect(failed).toEqual(expect.arrayContaining(MUST.map((step) => `Error: no ${step}`)));
  });

  it('because of the port it should listen on, or that of the metrics, leaves neither held', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    const free = createServer().listen(0, '127.0.0.1');
    await Promise.all([once(taken, 'listening'), once(free, 'listening')]);
    const [PORT, METRICS_PORT] = [taken, free].map((server) => {
      const address = server.address();
      return typeof address === 'object' && address ? String(address.port) : '';
    });
    free.close();
    await once(free, 'close');
    const said: string[] = [];
    const logger = createLogger('warn', { write: (line) => void said.push(line) });
    for (const environment of [
      { PORT, METRICS_PORT },
      { METRICS_PORT: PORT, PORT: METRICS_PORT },
    ] as Environment[]) {
      await expect(start((_, work) => work(), environment, logger)).rejects.toMatchObject({ code: 'EADDRINUSE' });
      expect(await isFree()).toBe(true);
    }
    expect(said).toEqual([]); // the start that failed says it, once
    const again = createServer().listen(Number(METRICS_PORT), '127.0.0.1');
    await once(again, 'listening');
    for (const server of [taken, again]) server.close();
  });
});
