import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#kernel';

const MAIN = fileURLToPath(new URL('../../../api/src/main.js', import.meta.url));
const PATIENCE = 30_000;

/** Whether the service answers at `origin`. */
export const answers = async (origin: string): Promise<boolean> => {
  try {
    const response = await fetch(`${origin}/api/v1/health`);
    return response.ok;
  } catch {
    return false;
  }
};

/** Runs `work` against a temporary server, on a free port, with its data in a temporary folder, and stops it afterwards. */
export const withOwnServer = async (clock: Clock, work: (origin: string) => Promise<void>): Promise<void> => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'alcada-demo-'));
  const env = { PORT: port.toString(), DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await untilItAnswers(clock, server, origin);
    await work(origin);
  } finally {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }
};

const untilItAnswers = async (clock: Clock, server: ChildProcess, origin: string): Promise<void> => {
  let output = '';
  server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const deadline = clock.monotonic() + PATIENCE;
  while (!(await answers(origin))) {
    if (server.exitCode !== null || clock.monotonic() > deadline)
      throw new Error(`the server did not start:\n${output}`);
    await clock.sleep(100);
  }
};

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};
