import { type ChildProcess, fork, type ForkOptions, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { built } from './built.js';
import { ownFolder } from '#testing';
import type { Environment } from './stores.js';

/** A program of the tests in a process of its own, which is asked one question at a time. */
export class Forked {
  readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(main: string, args: readonly string[] = [], options: ForkOptions = {}) {
    this.child = fork(built(main), args, { execArgv: [], ...options });
    this.ended = once(this.child, 'exit');
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What it says next. @throws Error where it ends before */
  async next<Said>(): Promise<Said> {
    const [said] = (await Promise.race([once(this.child, 'message'), this.ended])) as [Said];
    if (!this.isAlive) throw new Error(`the process ended with ${this.child.exitCode ?? 'a signal'}`);
    return said;
  }

  ask<Said>(question: Serializable): Promise<Said> {
    const said = this.next<Said>();
    this.child.send(question);
    return said;
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.isAlive) this.child.kill(signal);
    await this.ended;
  }
}

/** A service in a process of its own while the cases of a file run, so that what a test costs does not count. */
export class MeasuredService {
  private forked: Forked | null = null;
  private listens = '';

  constructor(environment: Environment = {}) {
    const folder = ownFolder(() => this.forked?.end());
    beforeAll(async () => {
      const env = { DATA_DIR: folder, PASSWORD_COST: '10', ...environment };
      this.forked = new Forked('test/support/measured.main.js', [], { env });
      this.listens = await this.forked.next();
    });
  }

  get origin(): string {
    return this.listens;
  }

  /** What the CPU has spent on it so far, in ms. */
  spent(): Promise<number> {
    return this.ask('spent');
  }

  /** What it holds in memory, in bytes. */
  held(): Promise<number> {
    return this.ask('held');
  }

  private ask(question: string): Promise<number> {
    if (!this.forked) throw new Error('the service runs while the cases do');
    return this.forked.ask(question);
  }
}
