import { readFileSync } from 'node:fs';
import { BREACH_TEXTS } from './breach-texts.js';

const FORMAT = readFileSync('docs/audit-format.md', 'utf8');

/** Rules of a whole log and its ledger, which no bundle has. */
const OF_LOGS = ['ledger', 'cut'];

describe('what a breach means', () => {
  it('is said of the rules that the format names', () => {
    const rules = Object.keys(BREACH_TEXTS).filter((rule) => !OF_LOGS.includes(rule));
    expect(rules.length).toBeGreaterThan(35);
    expect(rules.filter((rule) => !FORMAT.includes(`\`${rule}\``))).toEqual([]);
  });
});
