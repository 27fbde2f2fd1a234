import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RealProcess, runProjector, startProcess } from '../support/real-process.js';
import type { Environment } from '../support/service.js';

/** How long (ms) a supervisor waits before it starts again what has ended, and for how long it may be away. */
const [PAUSE, PATIENCE] = [200, 240_000];

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  server.close();
  await once(server, 'close');
  return port;
};

/** A process that is started again whenever it ends, as an orchestrator does it. */
export class Supervised {
  private process: RealProcess | null = null;
  private isClosing = false;
  private ended: Promise<unknown> = Promise.resolve();
  /** What it wrote before it last ended, or did not start. */
  lastWords = '';

  private constructor(
    readonly name: string,
    /** Where it listens; empty: nowhere. */
    readonly origin: string,
    private readonly start: () => Promise<RealProcess>,
  ) {}

  static async api(name: string, folder: string, environment: Environment): Promise<Supervised> {
    const port = await freePort();
    const main = 'test/jepsen/api.main.js';
    const start = () => startProcess(folder, { ...environment, PORT: port.toString() }, main);
    const one = new Supervised(name, `http://127.0.0.1:${port}`, start);
    await one.run();
    return one;
  }

  static async projector(name: string, environment: Environment): Promise<Supervised> {
    const one = new Supervised(name, '', () => Promise.resolve(runProjector(environment)));
    await one.run();
    return one;
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.signal(signal);
  }

  /** Kills it, and resolves when it serves again. */
  async kill(): Promise<void> {
    const killed = this.process;
    if (!killed) return;
    killed.signal('SIGKILL');
    await killed.ended;
    const deadline = performance.now() + PATIENCE;
    while (!this.isClosing && (this.process === killed || this.process === null)) {
      if (performance.now() > deadline) throw new Error(`${this.name} does not come back: ${this.lastWords}`);
      await sleep(PAUSE / 4);
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    do {
      this.signal('SIGCONT');
      this.signal('SIGTERM');
      await this.ended;
    } while (this.process !== null); // it was being started
  }

  private async run(): Promise<void> {
    const process = await this.start();
    this.process = process;
    this.ended = process.ended.then(() => this.again(process));
  }

  private async again({ stderr }: RealProcess): Promise<void> {
    this.process = null;
    this.lastWords = stderr().slice(-2_000);
    for (let isRunning = false; !isRunning && !this.isClosing;) {
      await sleep(PAUSE);
      isRunning = await this.run().then(
        () => true,
        (error: unknown) => {
          this.lastWords = String(error);
          return false;
        },
      );
    }
  }
}
