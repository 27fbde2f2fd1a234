import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDocuments } from '../testing/test-documents.js';
import { testSettings } from '../testing/test-settings.js';
import { KeySealBroken } from './key-seal.js';
import { newSigningKey, storedSigningKey } from './signing-key.js';
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
const stored = async () => storedSigningKey.parse((await store.documents.get('signing-keys', 'key-1'))?.body);

describe('the signing keys', () => {
  it('are made at the first start and the same at the next', async () => {
    const first = await started();
    const second = await started();
    expect(second.current().kid).toBe(first.current().kid);
    expect(second.jwks()).toEqual(first.jwks());
    expect(first.current().publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  });

  it('are one, also where two processes start at the same moment', async () => {
    const [one, other] = await Promise.all([started(), started()]);
    expect(one.jwks()).toHaveLength(1);
    expect(other.jwks()).toEqual(one.jwks());
  });

  it('are encrypted under the key-encryption key, and refuse another', async () => {
    const key = randomBytes(32);
    const { kid } = (await started(key)).current();
    expect((await stored()).privateKey.cipher).toBe('aes-256-gcm');
    expect((await started(key)).current().kid).toBe(kid);
    await expect(started(null)).rejects.toThrow(KeySealBroken);
    await expect(started(randomBytes(32))).rejects.toThrow(KeySealBroken);
  });

  it('in clear are encrypted once there is a key-encryption key', async () => {
    const { kid } = (await started()).current();
    const key = randomBytes(32);
    expect((await started(key)).current().kid).toBe(kid);
    expect((await stored()).privateKey.cipher).toBe('aes-256-gcm');
    expect((await started(key)).current().kid).toBe(kid);
  });

  it('of another process are found by their kid, looked for at most every five seconds', async () => {
    const keys = await started();
    const added = await newSigningKey(2, store.clock.now(), null);
    await store.documents.insert('signing-keys', 'key-2', added);
    expect(await keys.publicKey(added.kid)).toBeNull();
    store.clock.advance(5_000);
    expect(await keys.publicKey(added.kid)).not.toBeNull();
    expect(keys.current().kid).toBe(added.kid);
    expect(keys.jwks().map(({ kid }) => kid)).toContain(added.kid);
  });
});
