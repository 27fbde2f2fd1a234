import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../api/src/main.js', import.meta.url));

/** Whether the service answers at `origin`. */
export const answers = async (origin: string): Promise<boolean> => {
  try {
    const response = await fetch(`${origin}/api/v1/health`);
    return response.ok;
  } catch {
    return false;
  }
};

/** What ends a program from outside. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The signal that ends this process, or `SIGPIPE` once nobody reads what it says; only then. */
const interruption = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve);
    process.stdout.on('error', () => {
      resolve('SIGPIPE');
    });
  });

/** Runs `work` against a temporary server, which takes a free port itself, and stops it even where this process ends. */
export const withOwnServer = async (work: (origin: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'alcada-demo-'));
  const env = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const interrupted = interruption();
  const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(server, 'exit');
  let ending: NodeJS.Signals | null;
  try {
    const worked = originOf(server.stderr)
      .then(work)
      .then(() => null);
    ending = await Promise.race([interrupted, worked]);
  } finally {
    server.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
  // It ends as it would have ended without a server. That nobody reads on is no failure.
  if (ending !== null && ending !== 'SIGPIPE') process.kill(process.pid, ending);
};

/** Where a server that is starting listens, once it does. */
const originOf = async (stderr: Readable): Promise<string> => {
  let output = '';
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    const [, origin] = /Listens on\s+(\S+)\n/.exec(output) ?? [];
    if (origin === undefined) continue;
    stderr.resume(); // it may have more to say
    return origin;
  }
  throw new Error(`the server did not start:\n${output}`);
};
