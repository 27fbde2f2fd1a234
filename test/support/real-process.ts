import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { built } from './built.js';
import type { Environment } from './stores.js';

/** How a process ended: its exit code, or the signal it died of. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RealProcess {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ending>;
  /** Sends a signal to it alone. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Sends a signal to it alone, and waits for its end. */
  readonly end: (signal: NodeJS.Signals) => Promise<Ending>;
}

const run = (main: string, args: readonly string[], environment: Environment) =>
  watched(spawn(process.execPath, [built(main), ...args], { env: environment }));

export const watched = (child: ChildProcessWithoutNullStreams) => {
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const real: RealProcess = {
    stdout: () => out,
    stderr: () => err,
    ended,
    signal: (signal) => child.kill(signal),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
  return { child, real };
};

export const runCommand = (args: readonly string[], environment: Environment): RealProcess =>
  run('apps/cli/src/main.js', args, environment).real;

export const runService = (environment: Environment): RealProcess => run('apps/api/src/main.js', [], environment).real;

/** A process of the projector with these variables, which may refuse to start. */
export const runProjector = (environment: Environment): RealProcess =>
  run('apps/projector/src/main.js', [], environment).real;

/** The service in a process of its own, on a free port, once it listens there. `main`: a program that runs it in a special way. */
export const startProcess = async (
  folder: string,
  environment: Environment = {},
  main = 'apps/api/src/main.js',
  args: readonly string[] = [],
): Promise<RealProcess & { readonly origin: string }> => {
  const { child, real } = run(main, args, {
    PORT: '0',
    DATA_DIR: folder,
    ...(environment['NODE_ENV'] !== 'production' && { PASSWORD_COST: '10' }),
    ...environment,
  });
  return { ...real, origin: await originOf(child) };
};

/** The same, which dies at one step, such as `before append OrderPaid` (killed-at.ts). */
export const startKilledProcess = (folder: string, step: string, environment: Environment = {}) => {
  const [when = '', ...call] = step.split(' ');
  const quiet = { LOG_LEVEL: 'silent', ALLOW_CLOCK_AHEAD: 'on', ...environment };
  return startProcess(folder, quiet, 'test/support/killed-at.js', [when, call.join(' ')]);
};

/** Where a process listens that was just started, as its banner says. */
export const originOf = async (child: ChildProcess): Promise<string> => {
  let said = '';
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  for (;;) {
    const [, origin] = /Listens on\s+(\S+)\n/.exec(said) ?? [];
    if (origin !== undefined) return origin;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it did not start:\n${said}`);
    await Promise.race([child.stderr && once(child.stderr, 'data'), once(child, 'close')]);
  }
};
