import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '#agent';
import { tokensFor } from '../support/agent.js';
import { built } from '../support/built.js';
import { loadedThreads } from '../support/loaded-modules.js';
import { book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { spread } from './numbers.js';
import { cpuOf, ended, withEmptyFolder } from './server.js';
import { printTable, type Row } from './table.js';

const ROUNDS = 3;
/** How often (ms) it is asked whether it is healthy, and after what time (ms) memory is at rest. */
const [ASKED, REST] = [10, 3_000];
const PROGRAMS = { api: 'apps/api/src/main.js', cli: 'apps/cli/src/main.js' } as const;

interface Tree {
  readonly name: string;
  readonly program: (path: string) => string;
}
type Figures = Map<string, number[]>;

const startIn = async (
  tree: Tree,
  folder: string,
  port: number,
  environment: Readonly<Record<string, string>> = {},
) => {
  const child = spawn(process.execPath, ['--enable-source-maps', tree.program(PROGRAMS.api)], {
    env: { PORT: `${port}`, DATA_DIR: folder, LOG_LEVEL: 'silent', ...environment },
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  const isHealthy = () =>
    fetch(`${origin}/api/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error(`${tree.name} did not start`);
    await sleep(ASKED);
  }
  return { child, origin, pid: child.pid ?? 0 };
};

/** Seconds of CPU by thread: the main one, the three writing ones, which are the youngest, and those of Node and V8. */
const cpuByThread = (pid: number): { readonly main: number; readonly writing: number; readonly pools: number } => {
  const ids = readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .sort((one, other) => one - other);
  const seconds = (some: readonly number[]): number =>
    some.reduce(
      (sum, id) => sum + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e9,
      0,
    );
  const others = ids.filter((id) => id !== pid);
  return { main: seconds([pid]), writing: seconds(others.slice(-3)), pools: seconds(others.slice(0, -3)) };
};

const megabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Two starts on one folder; after the second, a search and an order. */
const round = (tree: Tree, figures: Figures, port: number): Promise<void> =>
  withEmptyFolder(async (folder) => {
    const note = (what: string, figure: number): void => {
      figures.set(what, [...(figures.get(what) ?? []), figure]);
    };
    for (const start of ['first start', 'second start']) {
      const since = performance.now();
      const { child, origin, pid } = await startIn(tree, folder, port);
      note(`${start}, until it is healthy: s`, (performance.now() - since) / 1_000);
      note(`${start}, CPU of all threads: s`, cpuOf(pid) / 1_000);
      const { main, writing, pools } = cpuByThread(pid);
      note(`${start}, the main thread: s`, main);
      note(`${start}, the writing threads: s`, writing);
      note(`${start}, Node’s and V8’s own: s`, pools);
      if (start === 'second start') {
        await sleep(REST);
        note('memory at rest: MB', megabytes(pid));
        const search = await fetch(`${origin}/api/v1/flights?from=GRU`);
        if (!search.ok) throw new Error(await search.text());
        await search.text();
        note('CPU until the first search is answered: s', cpuOf(pid) / 1_000);
        const api = new Api(`${origin}/api/v1`, (await tokensFor(origin)).access_token);
        await buy(api, await book(api), await grant(api, TRIP_PRICE));
        note('CPU until the first order is answered: s', cpuOf(pid) / 1_000);
      }
      await ended(child);
    }
    for (const args of [['--help'], ['status']]) {
      const command = spawn(process.execPath, ['--enable-source-maps', tree.program(PROGRAMS.cli), ...args], {
        env: { DATA_DIR: folder },
        stdio: 'ignore',
      });
      const since = performance.now();
      await once(command, 'exit');
      note(`alcada ${args.join(' ')}: s`, (performance.now() - since) / 1_000);
    }
  });

/** How many sources each package has in what the threads of a start load, the most first. */
const printLoaded = (tree: Tree, port: number): Promise<void> =>
  withEmptyFolder(async (folder) => {
    const coverage = join(folder, 'coverage');
    const { child } = await startIn(tree, join(folder, 'data'), port, { NODE_V8_COVERAGE: coverage });
    await ended(child);
    const threads = [...loadedThreads(coverage, resolve('.'))].sort(
      (one, other) => Number(other.main) - Number(one.main),
    );
    const packages = new Map<string, readonly number[]>();
    threads.forEach(({ sources }, thread) => {
      for (const source of sources) {
        const counts = packages.get(packageOf(source)) ?? threads.map(() => 0);
        packages.set(
          packageOf(source),
          counts.map((count, place) => (place === thread ? count + 1 : count)),
        );
      }
    });
    const row = (what: string, counts: readonly number[]): Row => [what, ...counts.map(String)];
    const most = [...packages].sort(([, [one = 0]], [, [other = 0]]) => other - one).slice(0, 20);
    printTable(
      `Sources that ${tree.name} loads, by package`,
      [
        row(
          'all',
          threads.map(({ sources }) => sources.length),
        ),
        row(
          'files that Node reads for them',
          threads.map(({ files }) => files),
        ),
        ...most.map(([name, counts]) => row(name, counts)),
      ],
      threads.map(({ main }) => (main ? 'main thread' : 'a writing thread')),
    );
  });

const packageOf = (source: string): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? source.split('/').slice(0, 2).join('/');

/** Starts of the service, and of `alcada`; `tree`: a built tree of another commit, which takes its turns beside this one. */
export const start = async (tree?: string): Promise<void> => {
  const here: Tree = { name: 'this tree', program: built };
  const there: readonly Tree[] =
    tree === undefined ? [] : [{ name: tree, program: (path) => resolve(tree, 'dist', path) }];
  const trees = [here, ...there].map((one) => ({ tree: one, figures: new Map<string, number[]>() }));
  const port = 20_000 + (process.pid % 10_000);
  for (let count = 0; count < ROUNDS; count += 1)
    for (const one of count % 2 === 0 ? trees : [...trees].reverse()) await round(one.tree, one.figures, port);
  const rows = [...(trees[0]?.figures.keys() ?? [])].map((what): Row => [
    what,
    ...trees.map(({ figures }) => spread(figures.get(what) ?? [], 2)),
  ]);
  printTable(
    'Starts of the built program',
    rows,
    trees.map((one) => one.tree.name),
  );
  await printLoaded(here, port);
};
