import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

type Documents = Readonly<Record<string, string>>;
const { brokenCitations } = (await import(pathToFileURL(resolve('test/checks/citations.js')).href)) as {
  readonly brokenCitations: (path: string, text: string, documents: Documents) => readonly string[];
};

/** Names are put together here, so that this file itself cites nothing that is not there. */
const md = (name: string) => `${name}.md`;
const RULES = md('docs/consistency');
const INTERFACE = md('docs/interface');
const DECISIONS = md('docs/decisions');
const ADR = 'docs/adr/';
const RULE = 'rule';
const WHY = md(`${ADR}0007-why`);
const DOCUMENTS: Documents = {
  [RULES]: '1. **First.** Why.\n2. **Second.** Why.',
  [INTERFACE]: '## Token lifetimes\n### Endpoint 1: GET /health',
  [DECISIONS]: '## Order\n',
  [WHY]: '# 0007',
};
const brokenIn = (path: string, text: string) => brokenCitations(path, text, DOCUMENTS);

describe('citations', () => {
  it('of what is in the repository are accepted', () => {
    const comment = `/** ${RULES}, ${RULE}s 1 and 2; ${INTERFACE}, endpoint 1;\n * ${DECISIONS},\n * Order; ${ADR}0007 */`;
    expect(brokenIn('libs/a.ts', comment)).toEqual([]);
    expect(brokenIn(WHY, `[${md('../consistency')}](${md('../consistency')})`)).toEqual([]);
    expect(brokenIn(WHY, `[times](${md('../interface')}#token-lifetimes)`)).toEqual([]);
  });

  it.each([
    ['a document that is not there', `// ${md('design')}, section 4`, md('design')],
    ['a document without its folder', `// ${md('interface')}`, md('interface')],
    ['a rule that is not there', `// ${RULES}, ${RULE} 3`, `${RULE} 3`],
    ['a rule that is not there, in a title', `it('holds (${RULE}s 1 to 3)')`, `${RULE}s 1 to 3`],
    ['an endpoint that is not there', `// ${INTERFACE}, endpoint 2`, `${md('interface')}, endpoint 2`],
    ['a section that is not there', `// ${DECISIONS}, Seats`, `${DECISIONS}, Seats`],
    ['a decision that is not there', `// ${ADR}0008`, `${ADR}0008`],
  ])('of %s are found', (_, text, broken) => {
    expect(brokenIn('libs/a.ts', text)).toEqual([broken]);
  });

  it('of a heading that is not there are found in a link', () => {
    expect(brokenIn(WHY, `[times](${md('../interface')}#errors)`)).toEqual([`${md('../interface')}#errors`]);
  });
});
