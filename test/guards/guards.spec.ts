import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { swept } from '../support/sweep.js';
import { Copy, withoutGuard } from './copy.js';
import type { Mutation } from './mutation.js';
import { MUTATIONS } from './mutations.js';
import { noticed, requireQuiet } from './run-guards.js';

const RULES = readFileSync('docs/consistency.md', 'utf8');

describe('the guards that the machine takes out', () => {
  it('each stand once in their source, and what stands there without them is something else', () => {
    for (const mutation of MUTATIONS) {
      const source = readFileSync(mutation.file, 'utf8');
      expect(withoutGuard(source, mutation)).not.toBe(source);
      expect(existsSync(mutation.spec ?? mutation.file)).toBe(true);
    }
  });

  it('have the tests that docs/consistency.md lists by rule, and no rule is without one', () => {
    expect(testsOf(RULES).toSorted()).toEqual([...new Set(MUTATIONS.map(testOf))].toSorted());
    const rules = [...RULES.matchAll(/^(\d+)\. \*\*/gm)].map(([, rule]) => Number(rule));
    expect(rules.filter((rule) => !MUTATIONS.some((guard) => guard.rule === rule))).toEqual([]);
  });
});

/** The tests of each rule, as the list says them. */
const testOf = ({ rule, spec }: Mutation): string => `${rule} | ${spec ?? 'the simulator alone'}`;

const testsOf = (rules: string): readonly string[] => {
  const list = rules.slice(rules.indexOf('## Which test holds which rule'));
  return [...list.matchAll(/^- \*\*(\d+)\*\* (.*)$/gm)].flatMap(([, rule = '', tests = '']) =>
    tests.split(', ').map((test) => {
      const [, path] = /^\[[^\]]+\]\((\S+)\)$/.exec(test) ?? [];
      return `${rule} | ${path === undefined ? test : posix.join('docs', path)}`;
    }),
  );
};

/** Noticed soon, by lives and by a test. */
const FEW: readonly string[] = ['the cap check', 'the refusal of what is paused'];
const taken = swept({
  short: [],
  middle: MUTATIONS.filter(({ name }) => FEW.includes(name)),
  full: MUTATIONS,
});

if (taken.length > 0)
  describe('without its guard', () => {
    let copy: Copy;
    beforeAll(async () => {
      copy = await Copy.make();
      await requireQuiet(copy, taken);
    }, 900_000);
    afterAll(() => copy.remove());

    it.each(taken.map((mutation) => [mutation.rule, mutation.name, mutation] as const))(
      'rule %i is seen to be broken: %s',
      async (_rule, _name, mutation) => {
        expect(Object.values(await noticed(copy, mutation))).not.toContain(null);
      },
      900_000,
    );
  });
