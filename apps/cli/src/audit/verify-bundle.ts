import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { nodeCrypto } from '#transparency';
import {
  type BundleReport,
  type Caveat,
  type LogReader,
  Malformed,
  parsePolicy,
  parseVerifierKey,
  type Policy,
  type ReportedStep,
  type Statement,
  verifyBundle,
  verifyProvenEvent,
} from '#verifier';
import { type Line, report } from '../command-line.js';
import { breachTable, cents, count, table } from './format.js';

/** What the command line gives for verifying a bundle or a proof: all that is trusted. */
export interface BundleOptions {
  readonly bundle: string;
  readonly key?: readonly string[];
  readonly policy?: string;
  readonly log?: string;
}

/** Verifies a bundle or a `.tlog-proof`, without any store. @throws Error where the key, the policy or the log is of no use */
export const verifyBundleFile = async ({ bundle, key = [], policy, log }: BundleOptions): Promise<BundleReport> => {
  const trust = {
    crypto: nodeCrypto,
    policy: await policyOf(key, policy),
    ...(log !== undefined && { log: readerOf(log) }),
  };
  if (!(await isProof(bundle))) return verifyBundle(createReadStream(bundle) as AsyncIterable<Uint8Array>, trust);
  return verifyProvenEvent(await bytesIn(createReadStream(bundle) as AsyncIterable<Uint8Array>, LARGEST_PROOF), trust);
};

/** The most bytes of a `.tlog-proof`, and of a file of a log: 256 entries of 65,535 bytes, each after its length. */
const LARGEST_PROOF = 4_194_304;
const LARGEST_FILE = 256 * (2 + 65_535);

/** All bytes of what is not trusted, up to so many. @throws Malformed where there are more */
const bytesIn = async (chunks: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of chunks) {
    length += part.length;
    if (length > most) throw new Malformed(`it has more than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const policyOf = async (vkeys: readonly string[], file: string | undefined): Promise<Policy> => {
  const logs = vkeys.map((vkey) => ({ key: parseVerifierKey(vkey, nodeCrypto.sha256), url: null }));
  const given = file === undefined ? null : parsePolicy(await readFile(file, 'utf8'), nodeCrypto.sha256);
  const policy = given ?? { logs: [], witnesses: [], groups: [], quorum: 'none' };
  if (logs.length + policy.logs.length === 0)
    throw new Error('give the key of the log with --key, or a policy that names it: a bundle is never asked for it');
  return { ...policy, logs: logs.length > 0 ? logs : policy.logs };
};

/** How long (ms) a file of the log is waited for. */
const PATIENCE = 30_000;

const readerOf =
  (address: string): LogReader =>
  async (path) => {
    const url = `${address.replace(/\/+$/, '')}/${path}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    return bytesIn(answer.body ?? Readable.from([]), LARGEST_FILE);
  };

const PROOF = 'c2sp.org/tlog-proof';

const isProof = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(PROOF.length), 0, PROOF.length, 0);
    return buffer.toString('latin1') === PROOF;
  } finally {
    await file.close();
  }
};

const PROVEN: Readonly<Record<Statement, string>> = {
  signed: 'The checkpoint is signed by a key that you gave.',
  witnessed: 'As many witnesses as your policy asks for have seen that checkpoint.',
  logged: 'Every event is in the log at that checkpoint exactly as it stands here.',
  chained: 'Every stream is chained from its first event here on; none is missing in between.',
  rules:
    'Every stream was judged from its first event, and none broke a rule; what depends on streams that are not here was not asked.',
  whole: 'Nothing is left out: up to that checkpoint the log has no other entry of these streams.',
};

const UNPROVEN: Readonly<Record<Caveat, string>> = {
  unwitnessed: 'That others are shown the same log: no witness vouches for it. A --policy with witnesses does that.',
  unscanned:
    'That nothing is left out at the end of a stream: --log <url> reads the entries and looks, up to 16,777,216 of them.',
  partial: 'What came before: some streams begin here after their first event.',
  keys: 'That nothing is left out at the end of a stream that is older than the keys of the log: its key was seen in no entry.',
  pseudonyms: 'That a stream has one pseudonym and one key in the log: that is the word of who operates it.',
  selection: 'That these are all the streams of the subject: that is the word of who made the bundle.',
  outside: 'What lies outside of the log: that a card was charged, and who a traveller is.',
};

const items = (heading: string, texts: readonly string[]): string =>
  texts.length === 0 ? '' : `\n${heading}\n${texts.map((text) => `  - ${text}\n`).join('')}`;

const rowOf = ({ revision, at, type, orderId, amount, reserved, consumed, remaining, refusal }: ReportedStep) => [
  String(revision),
  at.slice(0, 19).replace('T', ' '),
  type.replace('Mandate', ''),
  orderId?.slice(0, 8) ?? '',
  amount ? cents(amount.amount) : '',
  cents(reserved),
  cents(consumed),
  cents(remaining),
  refusal ?? '',
];

const NUMBERS = ['amount', 'reserved', 'consumed', 'remaining'];
const COLUMNS = ['#', 'time', 'event', 'order', ...NUMBERS, 'refused as'];

const judged = ({ applied }: BundleReport): string => {
  const { events, mandates, delegations, bookings, orders, followed, flights, others } = applied;
  if (events === 0) return 'nothing: no stream begins here';
  const kinds = [
    [mandates, 'mandate'],
    [delegations, 'delegation'],
    [bookings, 'booking'],
    [orders, 'order', `, ${followed} with the checkout`],
    [flights, 'flight'],
    [others, 'other stream'],
  ] as const;
  const of = kinds.flatMap(([number, name, more = '']) => (number > 0 ? `${count(number, name)}${more}` : []));
  return `${count(events, 'event')} of ${of.join(', ')}`;
};

/** The report for people: the verdict, what is wrong, what it proves, and what it does not. */
export const shownBundle = (found: BundleReport): string => {
  const { verdict, about, checkpoint, events, streams, mandates, breaches, proven, unproven } = found;
  const [subject] = Object.entries(about ?? {});
  const lines: readonly Line[] = [
    ['about', subject ? subject.join(' ') : 'one event'],
    ['holds', `${count(events, 'event')} of ${count(streams.length, 'stream')}`],
    ['judged', judged(found)],
    ['rests on', checkpoint ? `${checkpoint.origin}, ${count(checkpoint.size, 'entry', 'entries')}` : 'nothing'],
    ['root', checkpoint?.root ?? ''],
    ['witnesses', checkpoint?.witnesses.join(', ') ?? ''],
  ];
  const heading = verdict === 'sound' ? 'Sound.' : `Broken: ${count(breaches.length, 'breach', 'breaches')}.`;
  const tables = mandates.map(({ stream, steps }) => {
    const [currency = ''] = steps.map(({ limit }) => limit.currency).slice(-1);
    return `\n${stream}, in ${currency}\n${table(COLUMNS, steps.map(rowOf), NUMBERS)}`;
  });
  return [
    report(
      heading,
      lines.filter(([, value]) => value !== ''),
    ),
    breachTable(breaches),
    items(
      'Proven:',
      proven.map((statement) => PROVEN[statement]),
    ),
    items(
      'Not proven:',
      unproven.map((caveat) => UNPROVEN[caveat]),
    ),
    ...tables,
  ].join('');
};
