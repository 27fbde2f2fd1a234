import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

  it('are those that docs/consistency.md lists with their tests, and no rule is without one', () => {
    expect(rowsOf(RULES).toSorted()).toEqual(MUTATIONS.map(rowOf).toSorted());
    const rules = [...RULES.matchAll(/^(\d+)\. \*\*/gm)].map(([, rule]) => Number(rule));
    expect(rules.filter((rule) => !MUTATIONS.some((guard) => guard.rule === rule))).toEqual([]);
  });
});

/** A guard as the list there says it: with its rule and its test. */
const rowOf = ({ rule, name, spec }: Mutation): string => `${rule} | ${spec ?? 'the simulator alone'} | ${name}`;

const rowsOf = (rules: string): readonly string[] => {
  const list = rules.slice(rules.indexOf('## Which test holds which rule'));
  return [...list.matchAll(/^- \*\*(\d+)\*\* (.*)$/gm)].flatMap(([, rule = '', guards = '']) =>
    guards.split(/\. (?=\[|the simulator)/).flatMap((group) => {
      const [, path, names = ''] = /^(?:\[[^\]]+\]\((\S+)\)|the simulator alone): (.*)$/.exec(group) ?? [];
      const spec = path === undefined ? 'the simulator alone' : posix.join('docs', path);
      return names.split('; ').map((name) => `${rule} | ${spec} | ${name}`);
    }),
  );
};

/** Some of every kind, which are noticed soon. */
const FEW: readonly string[] = [
  'abandoning last',
  'the cap check',
  'where a block begins',
  'the refusal of what is paused',
];
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
