import { randomBytes } from 'node:crypto';
import { SealBroken, type SealingKeys } from '#documents';
import { FixedClock } from '#testing';
import { formatVerifierKey, Malformed, parseNote, Unverified, type VerifierKey, verifyNote } from '#verifier';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import {
  fingerprintOf,
  openTlogKeys,
  readTlogKeys,
  reencryptTlogKeys,
  retireTlogKey,
  rotateTlogKeys,
  RotationRefused,
  TLOG_KEYS,
} from './keys.js';
import { nodeCrypto } from './node-crypto.js';

const KEY = randomBytes(32);
const TEXT = 'alcada.example/tlog\n0\nroot\n';

let clock: FixedClock;
let documents: MemoryDocuments;
beforeEach(() => {
  clock = new FixedClock();
  documents = new MemoryDocuments(clock);
});

const open = (sealing: SealingKeys = [], configured: string | null = null, first = 'alcada.example/tlog') =>
  openTlogKeys(documents, sealing, { first, configured }, clock);
const verified = (lines: string, keys: readonly VerifierKey[]) =>
  verifyNote(parseNote(`${TEXT}\n${lines}`), keys, nodeCrypto);
const stored = async () => JSON.stringify((await documents.get(TLOG_KEYS.name, 'log'))?.body);

describe('the keys of the log', () => {
  it('are made once, whoever starts first, and called by the origin of the first start', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const later = await open([], null, 'moved.example/tlog');
    expect(later.origin).toBe('alcada.example/tlog');
    const keys = await one.verifierKeys();
    expect(keys).toHaveLength(1);
    expect(await other.verifierKeys()).toEqual(keys);
    expect(await later.verifierKeys()).toEqual(keys);
    expect(await readTlogKeys(documents)).toMatchObject({ origin: 'alcada.example/tlog', keys, retired: [] });
  });

  it('sign what only they verify, with the same signature each time', async () => {
    const keys = await open();
    const lines = await keys.sign(TEXT);
    expect(await keys.sign(TEXT)).toBe(lines);
    expect(await verified(lines, await keys.verifierKeys())).toHaveLength(1);
    await expect(verified(await keys.sign('another\n'), await keys.verifierKeys())).rejects.toThrow(Unverified);
  });

  it('are called by another origin where one is configured, and the former name is kept', async () => {
    const [former] = await (await open()).verifierKeys();
    const moved = await open([], 'moved.example/tlog');
    expect(moved.origin).toBe('moved.example/tlog');
    expect((await open()).origin).toBe('moved.example/tlog');
    expect((await readTlogKeys(documents))?.retired).toEqual(former && [formatVerifierKey(former)]);
    expect(await verified(await moved.sign(TEXT), await moved.verifierKeys())).toHaveLength(1);
    await expect(open([], 'two words')).rejects.toThrow(Malformed);
  });

  it('are two between a rotation and its end, and both sign', async () => {
    const keys = await open();
    const [older] = await keys.verifierKeys();
    if (!older) throw new Error('no key');
    await expect(retireTlogKey(documents)).rejects.toThrow(RotationRefused);
    await rotateTlogKeys(documents, []);
    await expect(rotateTlogKeys(documents, [])).rejects.toThrow(RotationRefused);
    clock.advance(10_000); // a running process signs with both within ten seconds
    const both = await keys.verifierKeys();
    expect(both[0]).toEqual(older);
    const lines = await keys.sign(TEXT);
    for (const key of both) expect(await verified(lines, [key])).toEqual([key]);

    await retireTlogKey(documents);
    clock.advance(10_000);
    expect(await keys.verifierKeys()).toEqual(both.slice(1));
    await expect(verified(await keys.sign(TEXT), [older])).rejects.toThrow(Unverified);
    expect((await readTlogKeys(documents))?.retired).toEqual([formatVerifierKey(older)]);
  });

  it('are none before the first start', async () => {
    await documents.prepare(TLOG_KEYS);
    expect(await readTlogKeys(documents)).toBeNull();
    await expect(rotateTlogKeys(documents, [])).rejects.toThrow(RotationRefused);
  });

  it('sign no more once they are gone from the store', async () => {
    const keys = await open();
    await keys.sign(TEXT);
    await documents.delete(TLOG_KEYS.name, 'log');
    clock.advance(10_000);
    await expect(keys.sign(TEXT)).rejects.toThrow('the keys of the log are gone');
  });

  it('have a fingerprint that anybody can compute from the line', async () => {
    const [key] = await (await open()).verifierKeys();
    const line = Buffer.from(`${key && formatVerifierKey(key)}\n`);
    expect(key && fingerprintOf(key)).toBe(Buffer.from(nodeCrypto.sha256(line)).toString('hex'));
  });
});

describe('at rest', () => {
  it('the private keys are encrypted where there is a key to do it with, also those stored in clear before', async () => {
    const clear = await (await open()).verifierKeys();
    expect(await stored()).toContain('"cipher":"none"');
    expect(await (await open([KEY])).verifierKeys()).toEqual(clear);
    await rotateTlogKeys(documents, [KEY]);
    expect(await stored()).not.toContain('"cipher":"none"');
    await expect(open()).rejects.toThrow(SealBroken);
    await expect(open([randomBytes(32)])).rejects.toThrow(SealBroken);
  });

  it('they follow one key-encryption key to the next', async () => {
    const keys = await (await open([KEY])).verifierKeys();
    const next = randomBytes(32);
    expect(await reencryptTlogKeys(documents, [next, KEY])).toBe(1);
    expect(await reencryptTlogKeys(documents, [next, KEY])).toBe(0);
    expect(await (await open([next])).verifierKeys()).toEqual(keys);
    await expect(reencryptTlogKeys(documents, [KEY])).rejects.toThrow(SealBroken);
  });
});
