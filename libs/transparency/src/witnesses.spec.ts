import { FixedClock, ManualClock } from '#testing';
import {
  appendLeaf,
  base64,
  consistencyProof,
  type Edge,
  EMPTY,
  formatCheckpoint,
  formatVerifierKey,
  leafHash,
  parsePolicy,
  rootOf,
  utf8,
  verifyCheckpoint,
} from '#verifier';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { Cosignatures } from './cosignatures.js';
import { openTlogKeys, type TlogKeys } from './keys.js';
import { nodeCrypto } from './node-crypto.js';
import { TestWitness } from './testing/index.js';
import { type OfferedHead, Witness, Witnesses } from './witnesses.js';

const { sha256 } = nodeCrypto;
const ORIGIN = 'log.example/tlog';

/** A log in memory, of entries that are their numbers; another `kind`: a fork of it from its entry `forkedAt` on. */
class Log {
  size = 0;
  kind = '';
  forkedAt = 0;

  constructor(private readonly keys: TlogKeys) {}

  head = async (): Promise<OfferedHead | null> => {
    if (this.size === 0) return null;
    const [size, leaves] = [this.size, this.leaves()];
    const root = rootOf(
      sha256,
      leaves.reduce<Edge>((edge, leaf) => appendLeaf(sha256, edge, leaf), EMPTY),
    );
    const text = formatCheckpoint({ origin: ORIGIN, size, root });
    const note = `${text}\n${await this.keys.sign(text)}`;
    const subtree = (level: number, index: number) => {
      const count = 2 ** level;
      const own = leaves.slice(index * count, (index + 1) * count);
      return Promise.resolve(
        rootOf(
          sha256,
          own.reduce<Edge>((edge, leaf) => appendLeaf(sha256, edge, leaf), EMPTY),
        ),
      );
    };
    return { size, root, note, since: (older) => consistencyProof(sha256, older, size, subtree) };
  };

  private leaves(): readonly Uint8Array[] {
    return Array.from({ length: this.size }, (_, at) =>
      leafHash(sha256, utf8(`${at}${at < this.forkedAt ? '' : this.kind}`)),
    );
  }
}

let clock: FixedClock;
let documents: MemoryDocuments;
let keys: TlogKeys;
let log: Log;
let witnesses: readonly [TestWitness, TestWitness, TestWitness];
let told: string[];
let errors: unknown[];
beforeEach(async () => {
  clock = new FixedClock();
  documents = new MemoryDocuments(clock);
  keys = await openTlogKeys(documents, [], { first: ORIGIN, configured: null }, clock);
  log = new Log(keys);
  witnesses = [await TestWitness.start('A'), await TestWitness.start('B'), await TestWitness.start('C')];
  const trusted = (await keys.verifierKeys()).map(formatVerifierKey);
  for (const witness of witnesses) witness.trusted = trusted;
  told = [];
  errors = [];
});
afterEach(async () => {
  for (const witness of witnesses) await witness.stop();
});

/** The lines of all three, two of which are asked for. */
const policyText = () => `${witnesses.map(({ line }) => line).join('')}group G 2 A B C\nquorum G\n`;
const offering = async (text = policyText()) => {
  const policy = parsePolicy(text, sha256);
  const cosignatures = new Cosignatures(documents, policy, clock);
  await cosignatures.prepare();
  const observer = {
    onOffer: (witness: string, outcome: string) => void told.push(`${witness} ${outcome}`),
    onTrouble: (witness: string, trouble: string | null, isRefusal: boolean) =>
      void told.push(`${witness}${isRefusal ? '!' : ''}: ${trouble ?? 'cosigns again'}`),
  };
  const onError = (error: unknown) => void errors.push(error);
  const offered = new Witnesses({ policy, cosignatures, head: log.head, clock, interval: 1_000, observer, onError });
  return {
    policy,
    cosignatures,
    /** The log grows to this size, and is offered. */
    round: async (size: number) => {
      log.size = size;
      await offered.round();
      expect(errors).toEqual([]);
    },
    /** Size of what is shown, and who vouches for it. */
    shown: async () => {
      const head = await log.head();
      if (!head) throw new Error('the log is empty');
      const { size, root, lines } = await cosignatures.shown(head);
      const text = formatCheckpoint({ origin: ORIGIN, size, root });
      const [key] = await keys.verifierKeys();
      const believing = { ...policy, logs: key ? [{ key, url: null }] : [], quorum: 'none' };
      const verified = await verifyCheckpoint(`${text}\n${await keys.sign(text)}${lines}`, believing, nodeCrypto);
      return [verified.size, verified.witnesses.join('')];
    },
  };
};

describe('witnesses', () => {
  it('cosign each tree that continues the last one, and what they say is attached to it', async () => {
    const { round, shown } = await offering();
    for (const size of [3, 4, 8, 300]) {
      await round(size);
      expect(await shown()).toEqual([size, 'ABC']);
    }
    const [first, second] = witnesses[0].offers;
    expect(first?.body).toMatch(/^old 0\n\nlog\.example\/tlog\n3\n/);
    expect(second?.body).toMatch(/^old 3\n[^\n]+\n[^\n]+\n[^\n]+\n\nlog\.example\/tlog\n4\n/);
  });

  it('are offered a tree once, and none of an empty log', async () => {
    const { round } = await offering();
    await round(0);
    expect(witnesses[0].offers).toHaveLength(0);
    await round(5);
    await round(5);
    expect(witnesses.map(({ offers }) => offers.length)).toEqual([1, 1, 1]);
  });

  it('say where they are to a log that does not know it any more', async () => {
    await (await offering()).round(5);
    const { round, shown } = await offering(); // after a restart
    await round(9);
    expect(witnesses[0].offers.map(({ status }) => status)).toEqual([200, 409, 200]);
    expect(await shown()).toEqual([9, 'ABC']);
  });

  it('refuse a fork, and it is told once, until they cosign again', async () => {
    const { round, shown } = await offering();
    await round(5);
    Object.assign(log, { kind: ' of another history', forkedAt: 4 });
    await round(8);
    expect(witnesses[0].offers.at(-1)?.status).toBe(422);
    expect(told.slice(-6)).toEqual(
      expect.arrayContaining(['A refused', expect.stringMatching(/^A!: it says that this tree does not continue/)]),
    );
    expect(await shown()).toEqual([5, 'ABC']); // what was cosigned is a tree of the log that they have seen
    clock.advance(60_000);
    told.length = 0;
    await round(9);
    expect(told.sort()).toEqual(['A refused', 'B refused', 'C refused']);
    Object.assign(log, { kind: '' });
    clock.advance(60_000);
    await round(10);
    expect(told).toContain('A: cosigns again');
    expect(await shown()).toEqual([10, 'ABC']);
  });

  it('refuse a log that has lost entries, restored from a copy', async () => {
    const { round } = await offering();
    await round(9);
    await round(7);
    expect(told).toContain('A!: it has cosigned a larger tree of this log already, of 9 entries');
  });

  it('do not have to be there: what enough of them have cosigned is shown for ten seconds, and then the head', async () => {
    const { round, shown } = await offering();
    await round(5);
    for (const witness of witnesses.slice(1)) witness.answers = [503, ''];
    await round(6);
    expect(await shown()).toEqual([5, 'ABC']);
    clock.advance(10_000);
    expect(await shown()).toEqual([6, 'A']);
    expect(told.filter((line) => line.includes(':'))).toEqual(['B: it answers 503', 'C: it answers 503']);
    for (const witness of witnesses.slice(1)) witness.answers = null;
    clock.advance(60_000);
    await round(6);
    expect(await shown()).toEqual([6, 'ABC']);
  });

  it('are left alone for longer after each failure, a minute at most', async () => {
    const { round } = await offering();
    const [first] = witnesses;
    first.answers = [500, ''];
    let size = 0;
    const offeredAfter = async (milliseconds: number) => {
      const before = first.offers.length;
      clock.advance(milliseconds);
      await round((size += 1));
      return first.offers.length > before;
    };
    expect(await offeredAfter(0)).toBe(true);
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(await offeredAfter(pause - 1)).toBe(false);
      expect(await offeredAfter(1)).toBe(true);
    }
    expect(witnesses[1].offers).toHaveLength(size); // the others do not wait for it
  });

  it('that cannot be reached, or answer something else, are told of with the reason', async () => {
    const [a, b, c] = witnesses;
    a.answers = [200, 'hello\n'];
    b.answers = [200, 'x'.repeat(70_000)];
    const elsewhere = policyText().replace(c.url, 'http://127.0.0.1:1/');
    const { round, shown } = await offering(elsewhere);
    await round(4);
    const troubles = told.filter((line) => line.includes(':')).sort();
    expect(troubles).toHaveLength(3);
    expect(troubles[0]).toMatch(/^A: its answer is no cosignature by A\.example\+/);
    expect(troubles[1]).toMatch(/^B: .*longer than 65536 bytes/);
    expect(troubles[2]).toMatch(/^C: fetch failed: ./);
    expect(await shown()).toEqual([4, '']);
  });

  it('are believed for their own key only', async () => {
    const [a, b] = witnesses;
    const swapped = policyText().replace(a.url, b.url);
    const { round } = await offering(swapped);
    await round(4);
    expect(told.filter((line) => line.startsWith('A:'))).toHaveLength(1);
  });

  it('whose line has no address are asked for nothing', async () => {
    const [a, b] = witnesses;
    const { round, shown } = await offering(`${a.line.replace(a.url, '')}${b.line}quorum B\n`);
    await round(4);
    expect([a.offers.length, b.offers.length]).toEqual([0, 1]);
    expect(await shown()).toEqual([4, 'B']);
  });

  it('have five seconds to answer', async () => {
    const [known] = parsePolicy(`${witnesses[0].line}quorum A\n`, sha256).witnesses;
    witnesses[0].answers = 'nothing';
    log.size = 3;
    const head = await log.head();
    if (!known || !head) throw new Error('there is a witness, and a head');
    const waiting = new ManualClock();
    let reason: string | null = null;
    const { signal } = new AbortController();
    const offer = new Witness(known, waiting).offer(head, signal).catch((error: unknown) => (reason = String(error)));
    while (witnesses[0].offers.length === 0) await clock.sleep(5);
    waiting.advance(4_999);
    await clock.sleep(5);
    expect(reason).toBeNull();
    waiting.advance(1);
    await offer;
    expect(reason).toContain('it did not answer within 5000 ms');
  });

  it('that do not answer hold nobody up who stops', async () => {
    witnesses[0].answers = 'nothing';
    const policy = parsePolicy(`${witnesses[0].line}quorum A\n`, sha256);
    const cosignatures = new Cosignatures(documents, policy, clock);
    await cosignatures.prepare();
    log.size = 3;
    const observer = { onOffer: () => void told.push('offer'), onTrouble: () => void told.push('trouble') };
    const offered = new Witnesses({
      policy,
      cosignatures,
      head: log.head,
      clock,
      interval: 1_000,
      observer,
      onError: (error) => void errors.push(error),
    });
    offered.start();
    while (witnesses[0].offers.length === 0) await clock.sleep(5);
    await offered.stop();
    expect([told, errors]).toEqual([[], []]);
  });
});

describe('cosignatures', () => {
  it('of several rounds meet on one tree, and a late one for an older tree is let go', async () => {
    const { cosignatures } = await offering();
    const tree = (size: number) => ({ size, root: sha256(Uint8Array.of(size)) });
    const at = clock.now();
    await cosignatures.add(tree(2), at, 'A', 'a2\n');
    await cosignatures.add(tree(2), at, 'A', 'a2 again\n');
    await cosignatures.add(tree(2), at, 'B', 'b2\n');
    await cosignatures.add(tree(1), at, 'C', 'c1\n');
    expect((await cosignatures.shown(tree(2))).lines).toBe('a2 again\nb2\n');
    await cosignatures.add(tree(3), at, 'C', 'c3\n');
    expect(await cosignatures.shown(tree(3))).toMatchObject({ size: 2, lines: 'a2 again\nb2\n' });
    expect(base64((await cosignatures.shown(tree(3))).root)).toBe(base64(tree(2).root));
  });

  it('never bring back a tree that is smaller than one that was shown, whichever process shows it', async () => {
    const { cosignatures } = await offering();
    const tree = (size: number) => ({ size, root: sha256(Uint8Array.of(size)) });
    const cosign = async (size: number) => {
      for (const name of ['A', 'B', 'C']) await cosignatures.add(tree(size), clock.now(), name, `${name}${size}\n`);
    };
    let largest = 0;
    const shown = async (head: number) => {
      const { cosignatures: anew } = await offering(); // another process, or after a restart
      const { size } = await anew.shown(tree(head));
      expect(size).toBeGreaterThanOrEqual(largest);
      largest = size;
      return size;
    };
    await cosign(2);
    expect(await shown(3)).toBe(2);
    clock.advance(10_000); // the witnesses are silent
    expect(await shown(9)).toBe(9);
    await cosign(5); // one that was under way comes late
    expect(await shown(10)).toBe(9);
    clock.advance(2_999);
    expect(await shown(11)).toBe(9); // for so long the same, and what they are offered meanwhile is no smaller
    await cosign(10);
    expect(await shown(12)).toBe(10);
  });

  it('are not waited for where there was never one, and the first one brings nothing back', async () => {
    const { cosignatures } = await offering();
    const tree = (size: number) => ({ size, root: sha256(Uint8Array.of(size)) });
    expect((await cosignatures.shown(tree(4))).size).toBe(4);
    for (const name of ['A', 'B', 'C']) await cosignatures.add(tree(3), clock.now(), name, `${name}3\n`);
    expect(await cosignatures.shown(tree(4))).toMatchObject({ size: 4, lines: '' });
    clock.advance(3_000);
    expect(await cosignatures.shown(tree(5))).toMatchObject({ size: 5, lines: '' });
  });
});
