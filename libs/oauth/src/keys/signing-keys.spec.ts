import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto';
import { type Documents, SealBroken, type SealingKeys } from '#documents';
import { overriding, plus } from '#kernel';
import { FixedClock } from '#testing';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { testSettings } from '../testing/test-settings.js';
import { newKeyPair, newSigningKey, PUBLISHED_BEFORE, type SigningKey, storedSigningKey } from './signing-key.js';
import { SigningKeys } from './signing-keys.js';

/** Pairs are dear: what one test has made another takes, each of its own no pair twice. */
const pairs: Promise<KeyPairKeyObjectResult>[] = [];
let taken = 0;
const nextPair = (): Promise<KeyPairKeyObjectResult> => (pairs[taken++] ??= newKeyPair());

let store: ReturnType<typeof openTestDocuments>;
beforeEach(() => {
  taken = 0;
  store = openTestDocuments();
});

const started = async (keyEncryptionKeys: SealingKeys = [], clock = store.clock): Promise<SigningKeys> => {
  const keys = new SigningKeys(store.documents, clock, testSettings({ keyEncryptionKeys }), nextPair);
  await keys.start();
  return keys;
};
const kids = async (keys: SigningKeys): Promise<readonly string[]> => (await keys.all()).map(({ kid }) => kid);
const newestOf = async (keys: SigningKeys): Promise<SigningKey> => {
  const [newest] = await keys.all();
  if (!newest) throw new Error('there is no key');
  return newest;
};
const stored = async () => storedSigningKey.parse((await store.documents.get('signing-keys', 'key-1'))?.body);

describe('the signing keys', () => {
  it('are not created by a start, but when one is to sign or to be published', async () => {
    const [one, other, third] = [await started(), await started(), await started()];
    expect(await store.documents.get('signing-keys', 'key-1')).toBeNull();
    const [{ kid }, [published]] = await Promise.all([one.current(), one.all()]);
    expect(published?.kid).toBe(kid);
    // Those that started before it was there make no second one, which would sign before anybody knows it.
    expect((await other.current()).kid).toBe(kid);
    expect(await kids(third)).toEqual([kid]);
    expect(await store.documents.get('signing-keys', 'key-2')).toBeNull();
  });

  it('are created once and kept at the next start', async () => {
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

  it('have no name that a command would take for an option', async () => {
    const short = () => generateKeyPairSync('rsa', { modulusLength: 512 });
    const named = async (pair: KeyPairKeyObjectResult) =>
      calculateJwkThumbprint(await exportJWK(pair.publicKey)).then((kid) => kid.startsWith('-'));
    let dashed = short();
    while (!(await named(dashed))) dashed = short();
    const drawn = [dashed];
    const times = { number: 1, createdAt: store.clock.now(), signsFrom: store.clock.now() };
    const { kid } = await newSigningKey(times, [], () => Promise.resolve(drawn.pop() ?? newKeyPair()));
    expect(kid).not.toMatch(/^-/);
  });

  it('are encrypted under the key-encryption key, and refuse another', async () => {
    const key = randomBytes(32);
    const { kid } = await (await started([key])).current();
    expect((await stored()).privateKey.cipher).toBe('aes-256-gcm');
    expect(await kids(await started([key]))).toEqual([kid]);
    await expect(started([])).rejects.toThrow(SealBroken);
    await expect(started([randomBytes(32)])).rejects.toThrow(SealBroken);
  });

  it('in clear are encrypted once a key-encryption key is configured', async () => {
    const { kid } = await (await started()).current();
    const key = randomBytes(32);
    expect(await kids(await started([key]))).toEqual([kid]);
    expect((await stored()).privateKey.cipher).toBe('aes-256-gcm');
    expect(await kids(await started([key]))).toEqual([kid]);
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
  it('publishes a key for longer than its document may be cached before it signs', async () => {
    const one = await started();
    const other = await started();
    const old = await one.current();
    await one.rotate();
    const { kid } = await newestOf(one);
    expect(kid).not.toBe(old.kid);
    store.clock.advance(10_000);
    expect(await kids(other)).toEqual([kid, old.kid]);
    store.clock.advance(PUBLISHED_BEFORE - 10_000 - 1);
    expect((await one.current()).kid).toBe(old.kid);
    store.clock.advance(1);
    expect((await one.current()).kid).toBe(kid);
    expect((await other.current()).kid).toBe(kid);
    expect(PUBLISHED_BEFORE).toBeGreaterThan(300_000 + 10_000); // the cache, and the reload of the process asked
  });

  it('keeps the old key for verification until its last token has expired', async () => {
    const keys = await started();
    const old = await keys.current();
    await keys.rotate();
    store.clock.advance(PUBLISHED_BEFORE + 3_600_000 + 59_999);
    expect(await keys.publicKey(old.kid)).toBe(old.publicKey);
    store.clock.advance(10_000);
    expect(await keys.publicKey(old.kid)).toBeNull();
    expect(await keys.all()).toHaveLength(1);
  });

  it('deletes nothing where keys are only read, by whatever clock, and a day later where somebody writes', async () => {
    const keys = await started();
    await keys.rotate();
    const ahead = await started([], new FixedClock(plus(store.clock.now(), 86_000_000)));
    expect(await ahead.all()).toHaveLength(1);
    store.clock.advance(80_000_000);
    expect(await keys.all()).toHaveLength(1);
    await started();
    expect(await store.documents.get('signing-keys', 'key-1')).not.toBeNull();
    store.clock.advance(86_400_000);
    expect(await keys.all()).toHaveLength(1);
    expect(await store.documents.get('signing-keys', 'key-1')).not.toBeNull();
    await started();
    expect(await store.documents.get('signing-keys', 'key-1')).toBeNull();
  });

  it('twice in an hour keeps both old keys for verification, each for its own hour', async () => {
    const keys = await started();
    await keys.rotate();
    store.clock.advance(1_800_000);
    await keys.rotate();
    expect((await keys.all()).map(({ number }) => number)).toEqual([3, 2, 1]);
    store.clock.advance(2_300_000);
    expect((await keys.all()).map(({ number }) => number)).toEqual([3, 2]);
    store.clock.advance(1_900_000);
    expect((await keys.all()).map(({ number }) => number)).toEqual([3]);
  });

  it('at the same time as another creates one key', async () => {
    const [one, other] = [await started(), await started()];
    // Both know the first key, or the slower to make one would still be at the first while the other is at the second.
    await one.all();
    await other.all();
    await Promise.all([one.rotate(), other.rotate()]);
    expect(await one.all()).toHaveLength(2);
    expect(await kids(other)).toEqual(await kids(one));
  });

  it('continues the numbering where old keys have been deleted', async () => {
    const keys = await started();
    await keys.rotate();
    store.clock.advance(2 * 86_400_000);
    await keys.rotate();
    expect((await newestOf(keys)).number).toBe(3);
    expect(await store.documents.get('signing-keys', 'key-1')).toBeNull();
  });

  it('refuses no token anywhere, though the clocks of the processes differ by a minute', async () => {
    const clocks = [0, 30_000, 60_000].map((ahead) => new FixedClock(plus(store.clock.now(), ahead)));
    const processes = await Promise.all(clocks.map(async (clock) => ({ clock, keys: await started([], clock) })));
    const issued: { readonly kid: string; readonly expires: string }[] = [];
    const relyingParty = { kids: [] as readonly string[], until: '' };
    const first = await processes[2]?.keys.current();
    for (let minute = 0; minute < 90; minute += 1) {
      if (minute === 3) await processes[minute % 3]?.keys.rotate();
      for (const { clock, keys } of processes) {
        const { kid } = await keys.current();
        issued.push({ kid, expires: plus(clock.now(), 3_600_000) });
        // A relying party reads the document of any process, and keeps it for as long as it may.
        if (clock.now() > relyingParty.until) {
          relyingParty.kids = await kids(keys);
          relyingParty.until = plus(clock.now(), 300_000);
        }
        expect(relyingParty.kids).toContain(kid);
      }
      for (const { clock, keys } of processes) {
        const alive = issued.filter(({ expires }) => expires > clock.now()).map(({ kid }) => kid);
        const known = await Promise.all([...new Set(alive)].map((kid) => keys.publicKey(kid)));
        expect(known).not.toContain(null);
      }
      for (const clock of clocks) clock.advance(60_000);
    }
    expect(new Set(issued.map(({ kid }) => kid)).size).toBe(2);
    expect(await processes[0]?.keys.publicKey(first?.kid ?? '')).toBeNull();
  });
});

describe('a stolen key', () => {
  it('is withdrawn: another signs at once, and every process refuses it within ten seconds', async () => {
    const one = await started();
    const other = await started();
    const stolen = await one.current();
    await one.withdraw(stolen.kid);
    const fresh = await one.current();
    expect(fresh.kid).not.toBe(stolen.kid);
    expect(await kids(one)).toEqual([fresh.kid]);
    store.clock.advance(10_000);
    expect(await other.publicKey(stolen.kid)).toBeNull();
    expect((await other.current()).kid).toBe(fresh.kid);
    expect(JSON.stringify(await store.documents.get('signing-keys', 'key-1'))).toBe('null');
  });

  it('that does not sign needs no successor', async () => {
    const keys = await started();
    const signer = await keys.current();
    await keys.rotate();
    const next = await newestOf(keys);
    await keys.withdraw(next.kid);
    expect(await kids(keys)).toEqual([signer.kid]);
    expect((await keys.current()).kid).toBe(signer.kid);
  });

  it('brings back no key that had been retired before it', async () => {
    const keys = await started();
    const retired = await keys.current();
    await keys.rotate();
    store.clock.advance(PUBLISHED_BEFORE + 3_660_000);
    const stolen = await keys.current();
    expect(stolen.kid).not.toBe(retired.kid);
    await keys.withdraw(stolen.kid);
    expect(await keys.publicKey(retired.kid)).toBeNull();
    expect(await kids(keys)).toHaveLength(1);
  });

  it('is withdrawn once more by who was interrupted, without a third key', async () => {
    const keys = await started();
    const stolen = await keys.current();
    const broken = new SigningKeys(withoutDeletes(store.documents), store.clock, testSettings());
    await broken.open();
    await expect(broken.withdraw(stolen.kid)).rejects.toThrow('killed');
    const again = await started();
    expect((await again.current()).kid).not.toBe(stolen.kid); // the new one signs already
    await again.withdraw(stolen.kid);
    expect(await again.all()).toHaveLength(1);
  });
});

const withoutDeletes = (documents: Documents): Documents =>
  overriding(documents, { delete: () => Promise.reject(new Error('killed')) });

describe('another key-encryption key', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];

  it('takes over the stored keys, which can be opened at any moment', async () => {
    const before = await started([old]);
    await before.rotate();
    const expected = await kids(before);
    const both = await started([next, old]);
    expect(await kids(both)).toEqual(expected);
    expect(await kids(await started([old, next]))).toEqual(expected); // not yet, by a start
    expect(await both.reencrypt()).toBe(2);
    expect(await kids(await started([next]))).toEqual(expected);
    await expect(started([old])).rejects.toThrow(SealBroken);
    expect(await both.reencrypt()).toBe(0);
  });
});
