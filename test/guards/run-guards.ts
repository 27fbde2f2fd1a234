import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Copy } from './copy.js';
import type { Mutation } from './mutation.js';
import { MUTATIONS } from './mutations.js';

/** Within so many seeds a life has to show that a guard is missing. */
const SEEDS = 1_000;
/** How long (ms) the simulator, and a test, may take. */
const [LIVES, SPEC] = [300_000, 120_000];

/** Who noticed that a guard is missing, in words; null: they did not, and should have. */
interface Verdict {
  readonly lives: string | null;
  readonly spec: string | null;
}

/** Takes out the guards of these rules and prints which lives and tests notice; returns how many were missed. */
export const runGuards = async (rules: readonly number[] | null, print: (line: string) => void): Promise<number> => {
  const guards = MUTATIONS.filter(({ rule }) => rules?.includes(rule) ?? true);
  const copy = await Copy.make();
  try {
    await requireQuiet(copy, guards);
    let missed = 0;
    for (const mutation of guards) {
      const { lives, spec } = await noticed(copy, mutation);
      if (lives === null || spec === null) missed += 1;
      const told = `${lives ?? 'MISSED by the simulator'}; ${spec ?? 'MISSED by its test'}`;
      print(`rule ${mutation.rule}, ${mutation.name}: ${told}`);
    }
    print(`${guards.length} guards taken out, ${missed} missed`);
    return missed;
  } finally {
    await copy.remove();
  }
};

export const noticed = (copy: Copy, mutation: Mutation): Promise<Verdict> =>
  copy.without(mutation, async () => ({
    lives: mutation.beyond === undefined ? await inLives(copy) : 'beyond the simulator',
    spec: mutation.spec === undefined ? 'no other test' : await inSpec(copy, mutation.spec),
  }));

/** The tests of these guards notice nothing as long as every guard is there. @throws Error where they do */
export const requireQuiet = async (copy: Copy, guards: readonly Mutation[]): Promise<void> => {
  const specs = [...new Set(guards.flatMap(({ spec }) => spec ?? []))];
  const red = specs.length > 0 ? await redIn(copy, specs) : 0;
  if (red > 0) throw new Error(`${red} tests fail with every guard in its place`);
};

const inLives = async (copy: Copy): Promise<string | null> => {
  const args = ['build/run.js', 'tests', 'test/simulation/simulate.main.js', '--seeds', `${SEEDS}`, '--stop-at-first'];
  const { output } = await copy.run(args, LIVES);
  const [, seeds, findings] = /(\d+) seeds, (\d+) findings/.exec(output) ?? [];
  if (seeds === undefined) throw new Error(`the simulator broke off:\n${output}`);
  return findings === '0' ? null : `within ${seeds} seeds`;
};

const inSpec = async (copy: Copy, spec: string): Promise<string | null> => {
  const red = await redIn(copy, [spec]);
  return red === 0 ? null : `${red} red in ${spec}`;
};

const JEST = 'node_modules/jest/bin/jest.js';
const REPORT = 'report.json';

/** How many tests of some specs fail; one, where they had to be ended. @throws Error where one cannot be run at all */
const redIn = async (copy: Copy, specs: readonly string[]): Promise<number> => {
  const file = join(copy.root, REPORT);
  await rm(file, { force: true });
  const args = [JEST, '--json', '--outputFile', REPORT, '--cacheDirectory', '.jest', '--runTestsByPath', ...specs];
  const { code, output } = await copy.run(args, SPEC * specs.length);
  if (code === null) return 1;
  const report = await readFile(file, 'utf8').catch(() => null);
  if (report === null) throw new Error(`${specs.join(', ')} came to no end:\n${output}`);
  const { numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(report) as Readonly<Record<string, number>>;
  if (numFailedTests === undefined || numRuntimeErrorTestSuites !== 0) throw new Error(`broken:\n${output}`);
  return numFailedTests;
};
