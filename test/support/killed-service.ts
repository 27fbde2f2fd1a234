import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Environment, LATER } from './service.js';

const MAIN = fileURLToPath(new URL('killed-at.js', import.meta.url));

/** A service in a process of its own, as the build left it (`npm test` builds first), which dies at one step. */
export interface KilledService {
  readonly origin: string;
  /** Resolves with the signal it died of. */
  readonly died: Promise<NodeJS.Signals | null>;
  /** Ends it, should it still live. */
  readonly end: () => void;
}

/** `step`: when it dies, such as `before append OrderPaid` (killed-at.ts). */
export const startKilledService = async (
  folder: string,
  step: string,
  environment: Environment = {},
): Promise<KilledService> => {
  const [when = '', ...call] = step.split(' ');
  const env = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', PASSWORD_COST: '10', ...LATER, ...environment };
  const child = spawn(process.execPath, [MAIN, when, call.join(' ')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const died = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  return { origin: await originOf(child), died, end: () => child.kill('SIGKILL') };
};

/** Where it listens, as its banner says. */
const originOf = async ({ stderr }: ChildProcess): Promise<string> => {
  let said = '';
  for await (const chunk of stderr ?? []) {
    said += String(chunk);
    const [, origin] = /Listens on\s+(\S+)/.exec(said) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error(`the service did not start:\n${said}`);
};
