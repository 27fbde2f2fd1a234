import { readConfig } from '#config';
import { createLogger, openEmbeddedPorts, type Ports } from '#runtime';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';
import { type RunningProjector, startProjector } from '../../apps/projector/src/start.js';
import { lentPorts } from './lent-ports.js';
import { type Environment, PATIENCE } from './service.js';

/** What makes a process one of many; the stores are given to it, these are never called. */
const SERVERS = { EVENTSTORE_URL: 'esdb://stores.example:2113', MONGODB_URL: 'mongodb://stores.example:27017' };

/** Processes of the distributed way, as many as wanted, over one set of stores in a folder. */
export class ManyProcesses {
  private readonly running = new Set<{ readonly stop: () => Promise<void> }>();

  private constructor(
    readonly ports: Ports,
    private readonly environment: Environment,
  ) {}

  static async open(folder: string, environment: Environment = {}): Promise<ManyProcesses> {
    const all = { PORT: '0', DATA_DIR: folder, PASSWORD_COST: '10', ...environment };
    return new ManyProcesses(await openEmbeddedPorts(readConfig(all)), all);
  }

  /** `clock`: its own; otherwise that of all. */
  api(clock = this.ports.clock): Promise<RunningApi> {
    return this.started(this.startApi(clock));
  }

  projector(): Promise<RunningProjector> {
    const open = () => Promise.resolve(lentPorts(this.ports));
    return this.started(startProjector(this.config(), createLogger('silent'), open));
  }

  private async startApi(clock: Ports['clock']): Promise<RunningApi> {
    const open = () => Promise.resolve(lentPorts({ ...this.ports, clock }));
    const api = await startApi(this.config(), createLogger('silent'), open);
    api.dependencies.readModels.patience = PATIENCE;
    return api;
  }

  /** Stops what still runs, and closes the stores. */
  async close(): Promise<void> {
    await Promise.all([...this.running].map((one) => one.stop()));
    const { readModelStore, documents, events } = this.ports;
    await readModelStore.close();
    await documents.close();
    await events.close();
  }

  private config() {
    return readConfig({ ...SERVERS, ...this.environment });
  }

  private async started<One extends { readonly stop: () => Promise<void> }>(starting: Promise<One>): Promise<One> {
    const started = await starting;
    this.running.add(started);
    const stop = () => {
      this.running.delete(started);
      return started.stop();
    };
    return { ...started, stop };
  }
}
