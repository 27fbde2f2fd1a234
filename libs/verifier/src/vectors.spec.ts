import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BREACH_TEXTS } from './rules/breach-texts.js';
import { LogRules } from './rules/log.js';
import { parsePolicy, policyOf } from './tlog/policy.js';
import {
  EVENT_FORMS,
  expectedOf,
  INNER_FORMS,
  KNOWN_FROM,
  type Members,
  PRICES,
  purchaseStory,
  testCrypto,
  TICKETS,
  type Vector,
  vectors,
  WHO_AND_WHEN,
  withWord,
} from './testing/index.js';
import { verifyBundle, verifyProvenEvent } from './verify-bundle.js';

const FOLDER = 'docs/audit-vectors';
const { key, vkey } = purchaseStory();

/** What is said of each vector, by hand; the rest of the list follows from what they are. */
const listing = JSON.parse(await readFile(`${FOLDER}/index.json`, 'utf8')) as readonly Listed[];
interface Listed {
  readonly name: string;
  readonly why: string;
}

const all = (await vectors()).map((vector) => {
  const why = listing.find(({ name }) => name === vector.name)?.why;
  if (why === undefined) throw new Error(`${FOLDER}/index.json says nothing of ${vector.name}`);
  return { ...vector, why };
});

/** The files of a vector, by their paths in the folder. */
const filesOf = ({ name, kind, file, policy, log = {} }: Vector): readonly (readonly [string, Uint8Array])[] => [
  [`${name}.${kind}`, file],
  ...(policy === undefined ? [] : ([[`${name}.policy`, Buffer.from(policy)]] as const)),
  ...Object.entries(log).map(([path, bytes]) => [`${name}.log/${path}`, bytes] as const),
];

const reportOf = async ({ name, kind, file, policy, log }: Vector) => {
  const read = (path: string) => {
    const bytes = log?.[path];
    return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(`the vector has no ${path}`));
  };
  const believed = policy === undefined ? policyOf(key) : parsePolicy(policy, testCrypto.sha256);
  const trust = { crypto: testCrypto, policy: believed, ...(log && { log: read }) };
  const found = kind === 'jsonl' ? await verifyBundle([file], trust) : await verifyProvenEvent(file, trust);
  return expectedOf(name, found);
};

type Report = Awaited<ReturnType<typeof reportOf>>;

/** What the verifier says of each vector. */
const reports = new Map<string, Report>();
for (const vector of all) reports.set(vector.name, await reportOf(vector));

/** What there is, for programs. */
const index = `${JSON.stringify(
  all.map(({ name, why, kind, policy, log }) => ({
    name,
    why,
    file: `${name}.${kind}`,
    ...(policy !== undefined && { policy: `${name}.policy` }),
    ...(log && { log: `${name}.log` }),
  })),
  null,
  1,
)}\n`;

const write = async (path: string, bytes: Uint8Array | string): Promise<void> => {
  await mkdir(dirname(join(FOLDER, path)), { recursive: true });
  await writeFile(join(FOLDER, path), bytes);
};

/** With VECTORS=write they are written anew, as when index.json has one more. */
if (process.env['VECTORS'] === 'write') {
  await write('key', `${vkey}\n`);
  await write('index.json', index);
  for (const vector of all) {
    for (const [path, bytes] of filesOf(vector)) await write(path, bytes);
    await write(`${vector.name}.report.json`, `${JSON.stringify(reports.get(vector.name), null, 1)}\n`);
  }
}

/** The rules that the file or the log at hand breaks, or what happened. Those of the ledger and of a whole log are none of a bundle's. */
const RULES = Object.keys(BREACH_TEXTS).filter((rule) => !['ledger', 'cut'].includes(rule));

/** The rule that a vector is named after. */
const ruleOf = (name: string): string | undefined =>
  RULES.filter((rule) => name === rule || name.startsWith(`${rule}-`)).toSorted(
    (one, other) => other.length - one.length,
  )[0];

/** What stands after what a later version of bundles than the first is needed for. */
const from = (name: string): string => {
  const version = KNOWN_FROM[name.replace('?', '')];
  return version === undefined ? '' : ` (v${version})`;
};

/** The lists of members as docs/audit-format.md shows them: those of one form in one line. */
const listed = (indent: string, types: Readonly<Record<string, Members>>): readonly string[] =>
  Object.entries(types).flatMap(([type, members]) => {
    const names = new Map<string, readonly string[]>();
    for (const [name, form] of Object.entries(members)) {
      const known = `${form}${from(`${type}.${name}`)}`;
      names.set(known, [...(names.get(known) ?? []), name]);
    }
    const lines = [...names].map(([form, of]) => `${indent}  ${of.join(', ')}: ${form}`);
    return [`${indent}${type}${from(type)}`, ...lines];
  });

describe('docs/audit-format.md', () => {
  it('lists every type of event with the form of its members', async () => {
    const page = await readFile('docs/audit-format.md', 'utf8');
    const types = Object.entries(EVENT_FORMS).flatMap(([category, of]) => [category, ...listed('  ', of)]);
    expect(page).toContain(['```text', ...types, '```'].join('\n'));
    expect(page).toContain(['```text', ...listed('', INNER_FORMS), '```'].join('\n'));
  });
});

describe('the vectors of docs/audit-format.md', () => {
  it.each(all)('$name: $why', async (vector) => {
    for (const [path, bytes] of filesOf(vector))
      expect((await readFile(join(FOLDER, path))).equals(Buffer.from(bytes))).toBe(true);
    const report = JSON.parse(await readFile(`${FOLDER}/${vector.name}.report.json`, 'utf8')) as Report;
    expect(reports.get(vector.name)).toEqual(report);
    const rule = ruleOf(vector.name);
    const isSound = vector.why.endsWith(': sound');
    if (rule !== undefined && !isSound) expect(report.breaches.map((one) => one.rule)).toContain(rule);
    if (isSound) expect(report.verdict).toBe('sound');
  });

  it('are listed, by the key that all but those with a policy are verified with', async () => {
    expect(await readFile(`${FOLDER}/index.json`, 'utf8')).toBe(index);
    expect(await readFile(`${FOLDER}/key`, 'utf8')).toBe(`${vkey}\n`);
  });

  it('ask by the third version for what the second lets pass', async () => {
    for (const [name, deed] of Object.entries(WHO_AND_WHEN)) {
      const rules = new LogRules(testCrypto.sha256, 2);
      const events = await withWord(deed).bundled(() => true);
      expect([name, events.flatMap((event) => rules.next(event))]).toEqual([name, []]);
    }
  });

  it('know by the third version only the price that was booked', async () => {
    const events = await withWord(PRICES['lives-lower'] ?? ((script) => script)).bundled(() => true);
    const rules = new LogRules(testCrypto.sha256, 3);
    expect(events.flatMap((event) => rules.next(event)).map(({ rule }) => rule)).toEqual(['booking']);
  });

  it('ask by the fourth version alone for a ticket a passenger', async () => {
    for (const [name, deed] of Object.entries(TICKETS)) {
      const rules = new LogRules(testCrypto.sha256, 3);
      const events = await withWord(deed).bundled(() => true);
      expect([name, events.flatMap((event) => rules.next(event))]).toEqual([name, []]);
    }
  });

  it('break every rule, and keep all of them', () => {
    const broken = new Set([...reports.values()].flatMap(({ breaches }) => breaches.map(({ rule }) => rule)));
    expect(RULES.filter((rule) => !broken.has(rule))).toEqual([]);
    const lives = reports.get('lives');
    expect([lives?.verdict, lives?.proven]).toEqual(['sound', ['signed', 'logged', 'chained', 'rules']]);
  });
});
