import type { Random } from './random.js';

/** JSON that `JSON.stringify` would not write: it is sent as it stands. */
export class Raw {
  constructor(readonly text: string) {}
}

/** The JSON text of a value, with what is `Raw` in it as it stands. */
export const jsonOf = (value: unknown): string => {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`;
};

const raw = (...texts: readonly string[]): readonly Raw[] => texts.map((text) => new Raw(text));

/** Numbers at every edge that a reader, a float or a column has. */
const NUMBERS: readonly unknown[] = [
  ...[0, -1, 1, 9, 10, 100, 500, 501, 1.5, 10_080, 10_081, 999_999_999_999, 10 ** 12, 10 ** 12 + 1],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), Number.MIN_VALUE, Number.MAX_VALUE],
  ...raw('-0', '1e0', '1E+2', '1.0', '0.1e1', '1e309', '-1e309', '1e-400', '18446744073709551616', '9'.repeat(400)),
  // No JSON.
  ...raw('00', '01', '0x10', '.5', '1.', '+1', 'NaN', 'Infinity', '1_000'),
];

/** Texts that some reader, some language or some store takes for something else. */
export const TEXTS: readonly string[] = [
  ...['', ' ', '\t', '0', '-1', '1', '1.5', '1e3', 'null', 'true', 'undefined', '[]', '{}', '[object Object]'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '$where', '{"$gt":""}'],
  ...['\0', 'a\0b', '\u0007', '\u001b[2J', '\u007f', '\u0085', '\u2028', '\ufeff', '\ufffe', '\u202e', '\u200b'],
  ...[
    '\r\nx-evil: 1',
    '\n',
    "' OR 1=1 --",
    '"; DROP TABLE events; --',
    '<script>alert(1)</script>',
    '${7*7}',
    '{{7*7}}',
  ],
  ...['../../etc/passwd', '%00', '%2e%2e%2f', '%', '%zz', '/', '\\', '//evil.example', 'javascript:alert(1)', '#', '?'],
  ...['ı', 'ß', 'ﬃ', 'é', 'e\u0301', 'ＡＬ１２０１', '😀', '👩‍👩‍👧‍👦', 'Ω', '٣', '\ud83d', '\udc00', 'a\ud800b'],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'AL1201',
    ' al-12 01 ',
    'AL',
    'AL99999',
    'al1201\0',
    '2026-02-30T25:61:61Z',
  ],
  ...[
    'a'.repeat(256),
    'a'.repeat(257),
    '9'.repeat(400),
    ' '.repeat(3_000),
    'e\u0301'.repeat(2_000),
    'a.'.repeat(3_000),
  ],
];

const nested = (depth: number, open: string, close: string): Raw =>
  new Raw(`${open.repeat(depth)}${close === '}' ? '0' : ''}${close.repeat(depth)}`);

/** What stands where something else belongs. */
const SHAPES: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], [{}], { length: 10 ** 9 }, { toString: 1 }, { $gt: '' }, ['a', 'a']],
  ...raw('{"__proto__":{"amount":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"a":1,"a":2}', '[1,]', '{,}'),
  ...raw('"\\ud800"', '"\\u0000"', '"\\x"', '"\t"', '"a', "'a'", 'undefined', '{"":1}', '[0,0,0,0,0,0,0,0,0,0,0]'),
  ...[31, 32, 33, 1_000, 20_000].flatMap((depth) => [nested(depth, '[', ']'), nested(depth, '{"a":', '}')]),
  new Raw(`[${'{},'.repeat(2_000)}{}]`),
  new Raw(`{${Array.from({ length: 500 }, (_, at) => `"k${at}":0`).join(',')}}`),
];

export const oddValue = (random: Random): unknown =>
  random.pick<() => unknown>([() => random.pick(NUMBERS), () => random.pick(TEXTS), () => random.pick(SHAPES)])();

type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Raw);

/** What JSON says; of anything else undefined. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A value with one member of it, at any depth, gone, replaced, misspelled, doubled or joined by another. */
export const brokenIn = (random: Random, value: unknown): unknown => {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.below(value.length);
    return random.chance(0.2) ? [...(value as unknown[]), value[at]] : value.with(at, brokenIn(random, value[at]));
  }
  if (!isObject(value) || Object.keys(value).length === 0) return oddValue(random);
  const name = random.pick(Object.keys(value));
  const { [name]: member, ...others } = value;
  if (isObject(member) && random.chance(0.6)) return { ...value, [name]: brokenIn(random, member) };
  const odd = oddValue(random);
  return random.pick<() => unknown>([
    () => others,
    () => ({ ...value, [name]: null }),
    () => ({ ...value, [name]: odd }),
    () => ({ ...value, [name]: odd }),
    () => ({ ...value, [name]: [member] }),
    () => ({ ...value, [name]: typeof member === 'string' ? member : jsonOf(member) }),
    () => ({ ...others, [misspelt(random, name)]: member }),
    () => ({ ...value, [random.pick(TEXTS)]: odd }),
    () => new Raw(`${jsonOf(value).slice(0, -1)},${JSON.stringify(name)}:${jsonOf(odd)}}`),
  ])();
};

const misspelt = (random: Random, name: string): string => {
  const at = random.below(name.length);
  return random.pick([
    name.toUpperCase(),
    `${name}s`,
    name.slice(0, at) + name.slice(at + 1),
    `${name.slice(0, at)}x${name.slice(at)}`,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]);
};
