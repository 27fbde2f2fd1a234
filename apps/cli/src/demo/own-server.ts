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

/**
 * Runs `work` against a temporary server, with its data in a temporary folder, and stops it afterwards. The server takes a
 * free port and says which: one that is looked for before it starts may be somebody else's by then.
 */
export const withOwnServer = async (work: (origin: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'alcada-demo-'));
  const env = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await work(await originOf(server.stderr));
  } finally {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }
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
