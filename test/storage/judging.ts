import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Case, Judged } from './judged.main.js';

const MAIN = new URL('judged.main.js', import.meta.url);

/** How many starts one process makes: the driver of SQLite keeps a little of each file that it had open. */
const STARTS = 200;

/** A start that ended its process, which says why on standard error. */
type Ended = { readonly outcome: 'ended'; readonly detail: string };

interface Child {
  readonly process: ChildProcess;
  stderr: string;
  starts: number;
  /** Called with what came of a start; null: its process ended. */
  answer: (judged: Judged | null) => void;
}

/** Starts on damaged folders, one after the other, in a process that may die of it. */
export class Judging {
  private child: Child | null = null;

  async judge(one: Case): Promise<Judged | Ended> {
    const child = (this.child ??= await this.begin());
    child.process.send(one);
    const first = await new Promise<Judged | null>((resolve) => {
      child.answer = resolve;
    });
    child.starts += 1;
    if (!first) {
      this.child = null;
      return { outcome: 'ended', detail: child.stderr };
    }
    if (child.starts >= STARTS) await this.end();
    return first;
  }

  async end(): Promise<void> {
    const child = this.child?.process;
    this.child = null;
    if (!child) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  private async begin(): Promise<Child> {
    const forked = fork(MAIN, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [], env: {} });
    const child: Child = { process: forked, stderr: '', starts: 0, answer: () => undefined };
    forked.on('message', (judged: Judged) => child.answer(judged));
    forked.on('close', () => child.answer(null));
    forked.stderr?.on('data', (chunk) => (child.stderr += String(chunk)));
    await once(forked, 'message');
    return child;
  }
}
