import fc from 'fast-check';
import { inCommon, type Offered } from './negotiation.rule.js';

const VERSIONS = ['2026-01-11', '2026-01-23', '2026-04-08'];
const NAMES = ['checkout', 'order', 'discount', 'loyalty', 'points'];

const name = fc.constantFrom(...NAMES);
const versions = fc.subarray(VERSIONS);
const offered = fc.record({ versions, extends: fc.uniqueArray(name, { maxLength: 2 }) });
const ours = fc.array(fc.tuple(name, offered)).map((entries) => new Map<string, Offered>(entries));
const theirs = fc.array(fc.tuple(name, versions)).map((entries) => new Map<string, readonly string[]>(entries));

describe('what two sides have in common', () => {
  it('is of each capability the latest version that both know, and nothing without a parent', () => {
    fc.assert(
      fc.property(ours, theirs, (mine, yours) => {
        const common = inCommon(mine, yours);
        for (const [capability, version] of common) {
          const both = VERSIONS.filter(
            (one) => mine.get(capability)?.versions.includes(one) && yours.get(capability)?.includes(one),
          );
          expect(version).toBe(both.at(-1));
          const parents = mine.get(capability)?.extends ?? [];
          expect(parents.length === 0 || parents.some((parent) => common.has(parent))).toBe(true);
        }
      }),
    );
  });

  it('lacks nothing that could be in it', () => {
    fc.assert(
      fc.property(ours, theirs, (mine, yours) => {
        const common = inCommon(mine, yours);
        const missing = [...mine].filter(([capability]) => !common.has(capability));
        for (const [capability, { versions: known, extends: parents }] of missing) {
          const isShared = known.some((one) => yours.get(capability)?.includes(one));
          const hasParent = parents.length === 0 || parents.some((parent) => common.has(parent));
          expect(isShared && hasParent).toBe(false);
        }
      }),
    );
  });

  it('ends a chain of extensions at the one whose parent is not known', () => {
    const all = VERSIONS;
    const chain = new Map([
      ['checkout', { versions: all, extends: [] }],
      ['discount', { versions: all, extends: ['cart'] }],
      ['loyalty', { versions: all, extends: ['discount'] }],
      ['points', { versions: all, extends: ['loyalty', 'order'] }],
    ]);
    const platform = new Map(NAMES.map((one) => [one, all]));
    expect([...inCommon(chain, platform)]).toEqual([['checkout', '2026-04-08']]);
  });
});
