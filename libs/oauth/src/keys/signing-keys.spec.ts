import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SealBroken } from '#documents';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { testSettings } from '../testing/test-settings.js';
import { type SigningKey, storedSigningKey } from './signing-key.js';
import { SigningKeys } from './signing-keys.js';

let store: Awaited<ReturnType<typeof openTestDocuments>>;
beforeEach(async () => {
  store = await openTestDocuments();
});
afterEach(() => store.close());

const started = async (keyEncryptionKey: Uint8Array | null = null): Promise<SigningKeys> => {
  const keys = new SigningKeys(store.documents, store.clock, testSettings({ keyEncryptionKey }));
  await keys.start();
  return keys;
};
const kids = async (keys: SigningKeys) => (await keys.all()).map(({ kid }) => kid);
const newestOf = async (keys: SigningKeys): Promise<SigningKey> => {
  const [newest] = await keys.all();
  if (!newest) throw new Error('there is no key');
  return newest;
};
const stored = async () => storedSigningKey.parse((await store.documents.get('signing-keys', 'key-1'))?.body);

describe('the signing keys', () => {
  it('are created at the first start and kept at the next', async () => {
    const first = await started();
    const second = await started();
    expect(await kids(second)).toEqual(await kids(first));
    expect((await first.current()).publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  });

  it('are a single key, even where two processes start at the same moment', async () => {
    const [one, other] = await Promise.all([started(), started()]);
    expect(await kids(one)).toHaveLength(1);
    expect(await kids(other)).toEqual(await kids(one));
  });

  it('are encrypted under the key-encryption key, and refuse another', async () => {
    const key = randomBytes(32);
    const { kid } = await (await started(key)).current();
    expect((await stored()).privateKey.cipher).toBe('aes-256-gcm');
    expect(await kids(await started(key))).toEqual([kid]);
    await expect(started(null)).rejects.toThrow(SealBroken);
    await expect(started(randomBytes(32))).rejects.toThrow(SealBroken);
  });

  it('in clear are encrypted once a key-encryption key is configured', async () => {
    const { kid } = await (await started()).current();
    const key = randomBytes(32);
    expect(await kids(await started(key))).toEqual([kid]);
    expect((await stored()).privateKey.cipher).toBe('aes-256-gcm');
    expect(await kids(await started(key))).toEqual([kid]);
  });

  it('of another process are found by their kid, at most one search every quarter of a second', async () => {
    const keys = await started();
    const other = await started();
    await other.rotate();
    const { kid } = await newestOf(other);
    expect(await keys.publicKey(kid)).toBeNull();
    store.clock.advance(250);
    expect(await keys.publicKey(kid)).not.toBeNull();
  });

  it('are loaded once for many requests at the same moment', async () => {
    const keys = await started();
    await (await started()).rotate();
    store.clock.advance(10_000);
    const answers = await Promise.all([keys.current(), keys.current(), keys.current()]);
    expect(new Set(answers.map(({ kid }) => kid)).size).toBe(1);
    expect(answers[0]).toBe(answers[1]);
  });
});

describe('a rotation', () => {
  it('creates a key that signs as soon as every process can find it, and in all of them within ten seconds', async () => {
    const one = await started();
    const other = await started();
    const old = await one.current();
    await one.rotate();
    const { kid } = await newestOf(one);
    expect(kid).not.toBe(old.kid);
    expect((await one.current()).kid).toBe(old.kid);
    store.clock.advance(500);
    expect((await one.current()).kid).toBe(kid);
    expect(await other.publicKey(kid)).not.toBeNull();
    store.clock.advance(10_000);
    expect((await other.current()).kid).toBe(kid);
  });

  it('keeps the old key for verification until its last token has expired, and then deletes it', async () => {
    const keys = await started();
    const old = await keys.current();
    await keys.rotate();
    store.clock.advance(3_600_000 + 59_999);
    expect(await keys.publicKey(old.kid)).toBe(old.publicKey);
    store.clock.advance(10_000);
    expect(await keys.publicKey(old.kid)).toBeNull();
    expect(await keys.all()).toHaveLength(1);
    expect(await store.documents.get('signing-keys', 'key-1')).toBeNull();
  });

  it('twice in an hour keeps both old keys for verification, each for its own hour', async () => {
    const keys = await started();
    await keys.rotate();
    store.clock.advance(1_800_000);
    await keys.rotate();
    expect((await keys.all()).map(({ number }) => number)).toEqual([3, 2, 1]);
    store.clock.advance(1_900_000);
    expect((await keys.all()).map(({ number }) => number)).toEqual([3, 2]);
    store.clock.advance(1_900_000);
    expect((await keys.all()).map(({ number }) => number)).toEqual([3]);
  });

  it('at the same time as another creates one key', async () => {
    const [one, other] = [await started(), await started()];
    await Promise.all([one.rotate(), other.rotate()]);
    expect(await one.all()).toHaveLength(2);
    expect(await kids(other)).toEqual(await kids(one));
  });

  it('continues the numbering where old keys have been deleted', async () => {
    const keys = await started();
    await keys.rotate();
    store.clock.advance(7_200_000);
    await keys.rotate();
    expect((await newestOf(keys)).number).toBe(3);
  });
});
