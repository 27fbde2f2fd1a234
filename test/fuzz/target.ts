import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newFolder, removeFolder } from '../support/service.js';

/** What the process of the service is asked. */
export interface Asked {
  /** Milliseconds to let pass on its clock. */
  readonly pass?: number;
  /** Whether its log refuses to be written from now on. */
  readonly refuseWrites?: boolean;
  /** Whether to tell what it wrote. */
  readonly news?: boolean;
}

/** An event as far as it says who caused it. `cause`: the id of the request. */
export interface Written {
  readonly type: string;
  readonly stream: string;
  readonly cause: string;
  readonly holder: string | null;
}

/** What it wrote since the last time, and what the CPU has spent on it so far, in ms. */
export interface Told {
  readonly events: readonly Written[];
  /** By collection: how many there are more than at the start; `<name>, changed`: how often one was. */
  readonly documents: Readonly<Record<string, number>>;
  readonly cpu: number;
}

/** The service under fire, in a process and a folder of its own. */
export class Target {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<Target> {
    const folder = await newFolder();
    const main = fileURLToPath(new URL('target.main.js', import.meta.url));
    const env = { ...process.env, DATA_DIR: folder, FUZZ_ENVIRONMENT: JSON.stringify(environment) };
    const child = fork(main, { env, execArgv: ['--enable-source-maps'] });
    const [port] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [number];
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} before it listened`);
    return new Target(child, folder, port);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Whether its process still runs. */
  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async pass(milliseconds: number): Promise<void> {
    await this.ask({ pass: milliseconds });
  }

  async refuseWrites(isRefusing: boolean): Promise<void> {
    await this.ask({ refuseWrites: isRefusing });
  }

  /** What the CPU has spent on it so far, in ms. */
  async spent(): Promise<number> {
    return Number(await this.ask({}));
  }

  async news(): Promise<Told> {
    return (await this.ask({ news: true })) as Told;
  }

  /** Ends it, and takes its folder away. */
  async stop(): Promise<void> {
    if (this.isAlive) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    await removeFolder(this.folder);
  }

  /** Questions are asked one at a time. */
  private async ask(asked: Asked): Promise<unknown> {
    const told = once(this.child, 'message');
    this.child.send(asked);
    return ((await told) as unknown[])[0];
  }
}
