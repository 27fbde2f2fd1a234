import { Forked } from '../support/forked.js';
import { newFolder, removeFolder } from '#testing';

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

export class Target {
  private constructor(
    private readonly forked: Forked,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<Target> {
    const folder = await newFolder();
    const env = { ...process.env, DATA_DIR: folder, FUZZ_ENVIRONMENT: JSON.stringify(environment) };
    const forked = new Forked('test/fuzz/target.main.js', [], { env, execArgv: ['--enable-source-maps'] });
    return new Target(forked, folder, await forked.next());
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isAlive(): boolean {
    return this.forked.isAlive;
  }

  async pass(milliseconds: number): Promise<void> {
    await this.ask({ pass: milliseconds });
  }

  async refuseWrites(isRefusing: boolean): Promise<void> {
    await this.ask({ refuseWrites: isRefusing });
  }

  /** What the CPU has spent on it so far, in ms. */
  spent(): Promise<number> {
    return this.ask({});
  }

  news(): Promise<Told> {
    return this.ask({ news: true });
  }

  /** Ends it, and takes its folder away. */
  async stop(): Promise<void> {
    await this.forked.end();
    await removeFolder(this.folder);
  }

  private ask<Answer>(asked: Asked): Promise<Answer> {
    return this.forked.ask({ ...asked });
  }
}
