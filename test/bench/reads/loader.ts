import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { ended } from '../server.js';
import type { Answered, Asked } from './loader.main.js';
import { built } from '../../support/built.js';

export interface Target {
  readonly origin: string;
  readonly pid: number;
}

/** What a load came to: requests answered a second, and microseconds of the CPU that the main thread took for each. */
export interface Load {
  readonly perSecond: number;
  readonly cpu: number;
}

/** A load generator in a process of its own, started once: it takes as long to start as it measures. */
export interface Loader {
  readonly load: (
    target: Target,
    paths: readonly string[],
    until: Asked['until'],
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Load>;
  readonly stop: () => Promise<void>;
}

/** Microseconds that the main thread of a process has run, where the system tells (Linux). */
const runTime = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
  } catch {
    return NaN;
  }
};

export const startLoader = async (folder: string): Promise<Loader> => {
  const child = fork(built('test/bench/reads/loader.main.js'), [folder]);
  await once(child, 'message');
  const load: Loader['load'] = async ({ origin, pid }, paths, until, headers = {}) => {
    const begun = runTime(pid);
    child.send({ origin, paths, headers, until } satisfies Asked);
    const [{ perSecond, count, failed }] = (await once(child, 'message')) as [Answered];
    if (failed > 0) throw new Error(`${failed} of ${count} requests failed at ${origin}`);
    return { perSecond, cpu: (runTime(pid) - begun) / count };
  };
  return { load, stop: () => ended(child) };
};
