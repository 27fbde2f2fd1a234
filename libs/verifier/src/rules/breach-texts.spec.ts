import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { BREACH_TEXTS } from './breach-texts.js';

const FORMAT = readFileSync('docs/audit-format.md', 'utf8');

/** The rules that the format names: those of the report by its table, those of streams in brackets behind what they ask. */
const named = (): ReadonlySet<string> => {
  const [, report = '', rules = ''] = /\n## The report\n([^]*?)\n## The rules of a mandate\n([^]*)/.exec(FORMAT) ?? [];
  const inTable = [...report.matchAll(/^\| `([a-z-]+)`/gm)].map(([, rule = '']) => rule);
  const bracketed = [...rules.matchAll(/\((`[a-z-]+`(?:, `[a-z-]+`)*)\)/g)].flatMap(([, list = '']) =>
    list.replaceAll('`', '').split(', '),
  );
  return new Set([...inTable, ...bracketed]);
};

describe('what a breach means', () => {
  it('is said of every rule that the format names', () => {
    const rules = named();
    expect(rules.size).toBeGreaterThan(30);
    expect([...rules].filter((rule) => !(rule in BREACH_TEXTS))).toEqual([]);
  });
});
