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

  it('are those of the table in docs/consistency.md, which names their tests, and no rule is without one', () => {
    expect(rowsOf(RULES)).toEqual(MUTATIONS.map(rowOf));
    const rules = [...RULES.matchAll(/^(\d+)\. \*\*/gm)].map(([, rule]) => Number(rule));
    expect(rules.filter((rule) => !MUTATIONS.some((guard) => guard.rule === rule))).toEqual([]);
  });
});

/** A guard as its row in the table says it: its test, and whether the simulator notices. */
const rowOf = ({ rule, name, spec, beyond }: Mutation): string =>
  [rule, name, spec ?? 'lives alone', beyond === undefined ? 'in lives' : 'beyond lives'].join(' | ');

const rowsOf = (rules: string): readonly string[] => {
  const table = rules.slice(rules.indexOf('## Which test holds which rule'));
  let rule = '';
  return [...table.matchAll(/^\|(.*)\|$/gm)].slice(2).map(([, row = '']) => {
    const [number = '', name, , test = '', seeds] = row.split('|').map((cell) => cell.trim());
    rule = number === '' ? rule : number;
    const [, path] = /^\[[^\]]+\]\((\S+)\)$/.exec(test) ?? [];
    const spec = path === undefined ? 'lives alone' : posix.join('docs', path);
    return [rule, name, spec, seeds === '–' ? 'beyond lives' : 'in lives'].join(' | ');
  });
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
