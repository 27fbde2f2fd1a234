import { generateKeyPairSync, sign } from 'node:crypto';
import { nodeCrypto } from '#transparency';
import { base64, Malformed, utf8 } from '../bytes.js';
import { formatCheckpoint } from './checkpoint.js';
import {
  COSIGNATURE,
  cosignedMessage,
  ED25519,
  encodeCosignature,
  formatVerifierKey,
  signatureLine,
  Unverified,
  verifierKey,
} from './note.js';
import { leafHash, nodeHash, verifyInclusion } from './merkle.js';
import { isQuorum, parsePolicy, policyOf, verifyCheckpoint } from './policy.js';
import { formatProof, parseProof, type TlogProof } from './proof.js';

const { sha256 } = nodeCrypto;

/** Somebody who signs checkpoints: a log, or a witness at some time. */
const signer = (name: string, type: typeof ED25519 | typeof COSIGNATURE) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = verifierKey(
    { name, type, publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32) },
    sha256,
  );
  const signature = (text: string) => {
    if (type === ED25519) return sign(null, utf8(text), privateKey);
    return encodeCosignature(1679315147n, sign(null, cosignedMessage(1679315147n, text), privateKey));
  };
  return {
    key,
    vkey: formatVerifierKey(key),
    line: (text: string) => signatureLine({ ...key, signature: signature(text) }),
  };
};

const log = signer('log.example/tlog', ED25519);
const [x1, x2, x3, y1] = ['x1', 'x2', 'x3', 'y1'].map((name) => signer(`${name}.example`, COSIGNATURE));
if (!x1 || !x2 || !x3 || !y1) throw new Error('four witnesses');

const POLICY = `
# Two of three, and one more.
log ${log.vkey} https://log.example/tlog
witness X1 ${x1.vkey}
\twitness  X2 \t${x2.vkey} https://x2.example/ \t
witness X3 ${x3.vkey}
group X-witnesses 2 X1 X2 X3
witness Y1 ${y1.vkey}
group Y-witnesses any Y1
group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;
const policy = parsePolicy(POLICY, sha256);

const leaves = ['a', 'b', 'c'].map((entry) => leafHash(sha256, utf8(entry)));
const [a, b, c] = leaves;
if (!a || !b || !c) throw new Error('three leaves');
const ab = nodeHash(sha256, a, b);
const text = formatCheckpoint({ origin: 'log.example/tlog', size: 3, root: nodeHash(sha256, ab, c) });
const cosigned = (...lines: readonly string[]) => `${text}\n${lines.join('')}`;

describe('a policy', () => {
  it('is read, comments and spaces aside', () => {
    expect(policy.logs).toEqual([{ key: log.key, url: 'https://log.example/tlog' }]);
    expect(policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
      ['X1', null],
      ['X2', 'https://x2.example/'],
      ['X3', null],
      ['Y1', null],
    ]);
    expect(policy.groups[2]).toEqual({ name: 'X-and-Y', threshold: 2, members: ['X-witnesses', 'Y-witnesses'] });
  });

  it.each([
    [['X1', 'X2', 'Y1'], true],
    [['X1', 'X2', 'X3', 'Y1'], true],
    [['X1', 'X2', 'X3'], false],
    [['X1', 'Y1'], false],
    [[], false],
  ])('with groups is met by the right witnesses: %j', (witnesses, met) =>
    expect(isQuorum(policy, witnesses)).toBe(met),
  );

  it('may ask for one witness, or for none', () => {
    const one = parsePolicy(`witness W ${x1.vkey}\nquorum W`, sha256);
    expect([isQuorum(one, ['W']), isQuorum(one, [])]).toEqual([true, false]);
    expect(isQuorum(parsePolicy('quorum none\n', sha256), [])).toBe(true);
  });

  const w = `witness W ${x1.vkey}\n`;
  it.each([
    ['no quorum', w, 'exactly one'],
    ['two quorums', 'quorum none\nquorum none\n', 'exactly one'],
    ['a quorum that is defined below', `quorum W\n${w}`, 'line 1'],
    ['an unknown line', 'quorum none\nwho knows\n', 'line 2'],
    ['a control character', 'quorum none\r\n', 'line 1'],
    ['a witness with the key of a log', `witness W ${log.vkey}\nquorum none\n`, 'line 1'],
    ['a log with the key of a witness', `log ${x1.vkey}\nquorum none\n`, 'line 1'],
    ['a witness twice', `${w}witness V ${x1.vkey}\nquorum none\n`, 'line 2'],
    ['a log twice', `log ${log.vkey}\nlog ${log.vkey}\nquorum none\n`, 'line 2'],
    ['a name twice', `${w}witness W ${x2.vkey}\nquorum none\n`, 'line 2'],
    ['a witness called none', `witness none ${x1.vkey}\nquorum none\n`, 'line 1'],
    ['a group of nobody', 'group G all\nquorum none\n', 'line 1'],
    ['a group that asks for too many', `${w}group G 2 W\nquorum G\n`, 'line 2'],
    ['a group that asks for none', `${w}group G 0 W\nquorum G\n`, 'line 2'],
    ['a group that asks for something unknown', `${w}group G toString W\nquorum G\n`, 'line 2'],
    ['a group with an unknown member', `${w}group G any V\nquorum G\n`, 'line 2'],
    ['a group with a member called none', 'group G any none\nquorum G\n', 'line 1'],
    ['a member of two groups', `${w}group G any W\ngroup H any W\nquorum G\n`, 'line 3'],
    ['a member twice', `${w}group G any W W\nquorum G\n`, 'line 2'],
    ['too many words', 'quorum none at all\n', 'line 1'],
  ])('does not have %s', (_, file, where) => {
    expect(() => parsePolicy(file, sha256)).toThrow(Malformed);
    expect(() => parsePolicy(file, sha256)).toThrow(where);
  });
});

describe('a checkpoint', () => {
  const byAll = cosigned(log.line(text), x1.line(text), x3.line(text), y1.line(text));

  it('is believed where its log and enough witnesses have signed it', async () => {
    const verified = await verifyCheckpoint(byAll, policy, nodeCrypto);
    expect(verified).toMatchObject({
      origin: 'log.example/tlog',
      size: 3,
      keys: [log.key],
      witnesses: ['X1', 'X3', 'Y1'],
    });
    expect(await verifyCheckpoint(byAll, policyOf(log.key), nodeCrypto)).toMatchObject({ size: 3, witnesses: [] });
  });

  it.each([
    ['too few witnesses', cosigned(log.line(text), x1.line(text), y1.line(text))],
    ['one witness twice', cosigned(log.line(text), x1.line(text), x1.line(text), y1.line(text))],
    ['witnesses without the log', cosigned(x1.line(text), x2.line(text), y1.line(text))],
    ['a witness of something else', byAll.replace(y1.line(text), y1.line(`${text}more\n`))],
    ['a log of something else', byAll.replace(log.line(text), log.line(`${text}more\n`))],
    ['the key of another log', cosigned(log.line(text)).replace('log.example/tlog\n3', 'other.example\n3')],
  ])('is not believed with %s', async (_, note) => {
    await expect(verifyCheckpoint(note, policy, nodeCrypto)).rejects.toThrow(Unverified);
  });

  it('has cosignatures with their time', () => {
    const line = x1.line(text);
    expect(line).toMatch(/^— x1\.example /);
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64');
    expect(bytes.readBigUInt64BE(4)).toBe(1679315147n);
    expect(bytes).toHaveLength(4 + 8 + 64);
  });
});

describe('a proof', () => {
  const checkpoint = cosigned(log.line(text), x1.line(text), x2.line(text), y1.line(text));
  const proof = { extra: null, index: 1, hashes: [a, c], checkpoint };

  it('is written as the specification has it, and read again', () => {
    const lines = ['c2sp.org/tlog-proof@v1', 'extra aGk=', 'index 1', base64(a), base64(c), '', checkpoint];
    const withExtra = { ...proof, extra: utf8('hi') };
    expect(formatProof(withExtra)).toBe(lines.join('\n'));
    expect(formatProof(proof)).toBe(lines.filter((line) => !line.startsWith('extra')).join('\n'));
    expect(parseProof(formatProof(withExtra))).toEqual({
      ...withExtra,
      hashes: [a, c].map((hash) => new Uint8Array(hash)),
    });
    expect(parseProof(formatProof({ ...proof, index: 0, hashes: [] }))).toMatchObject({
      extra: null,
      index: 0,
      hashes: [],
    });
    const highest = Array<Uint8Array>(63).fill(new Uint8Array(a));
    expect(parseProof(formatProof({ ...proof, hashes: highest })).hashes).toEqual(highest);
  });

  it('leads from an entry to a checkpoint that is believed', async () => {
    const verified = await verifyCheckpoint(proof.checkpoint, policy, nodeCrypto);
    expect(verified).toMatchObject({ size: 3, witnesses: ['X1', 'X2', 'Y1'] });
    const leads = ({ index, hashes }: TlogProof, leaf: Uint8Array) =>
      verifyInclusion(sha256, { ...verified, index, leaf, proof: hashes });
    expect(leads(proof, b)).toBe(true);
    expect([leads(proof, a), leads({ ...proof, index: 0 }, b), leads({ ...proof, hashes: [c, a] }, b)]).toEqual([
      false,
      false,
      false,
    ]);
    await expect(verifyCheckpoint(cosigned(log.line(text)), policy, nodeCrypto)).rejects.toThrow(Unverified);
  });

  const written = formatProof(proof);
  it.each([
    ['another first line', written.replace('@v1', '@v2')],
    ['no index', written.replace('index 1\n', '')],
    ['an index with a leading zero', written.replace('index 1', 'index 01')],
    ['a short hash', written.replace(base64(a), 'AAAA')],
    ['a hash that is no base64', written.replace(base64(a), '*')],
    ['no checkpoint', written.slice(0, written.indexOf('\n\n'))],
    ['the extra line in the wrong place', written.replace('index 1\n', 'index 1\nextra aGk=\n')],
    ['too many hashes', written.replace(base64(a), Array(63).fill(base64(a)).join('\n'))],
  ])('does not have %s', (_, text) => expect(() => parseProof(text)).toThrow(Malformed));
});
