import { RandomIds } from '#kernel';
import { openTestStores } from '../../../identity/src/testing/index.js';
import { PUBLISHED_BEFORE } from '../keys/signing-key.js';
import { MessageKeys } from '../keys/signing-keys.js';
import { giveSigningKey } from '../testing/signing-key.js';
import { testSettings } from '../testing/test-settings.js';
import type { KeyRegistry } from './key-registry.js';
import { openKeyRegistry } from './open-registry.js';

let store: ReturnType<typeof openTestStores>;
let registry: KeyRegistry;
beforeEach(async () => {
  store = openTestStores();
  await giveSigningKey(store.documents, store.clock);
  const { eventStore: events, ...ports } = store;
  registry = await openKeyRegistry({ ...ports, events, ids: new RandomIds() }, testSettings());
});

const listed = async () => (await registry.list()).map(({ state, verifiesUntil }) => [state, verifiesUntil !== null]);

describe('the signing keys, as an operator sees them', () => {
  it('sign, are next, and are retired', async () => {
    expect(await listed()).toEqual([['signs', false]]);
    await registry.rotate();
    expect(await listed()).toEqual([
      ['next', false],
      ['signs', true],
    ]);
    store.clock.advance(PUBLISHED_BEFORE);
    expect(await listed()).toEqual([
      ['signs', false],
      ['retired', true],
    ]);
  });

  it('are revoked, which the log says', async () => {
    const [{ kid } = { kid: '' }] = await registry.rotate();
    expect((await registry.revoke(kid)).map((key) => key.kid)).not.toContain(kid);
    const recorded = [];
    for await (const { type, data } of store.eventStore.readAll(null)) recorded.push([type, data]);
    expect(recorded).toMatchObject([['SigningKeyRevoked', expect.objectContaining({ kid })]]);
  });

  it('are of tokens and of messages, which are verified for a week by a key that no longer signs', async () => {
    const messages = new MessageKeys(store.documents, store.clock, testSettings());
    await messages.start();
    const first = await messages.current();
    expect(first.jwk).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' });
    const ofMessages = async () => (await registry.list()).filter(({ signs }) => signs === 'messages');
    store.clock.advance(10_000);
    expect(await ofMessages()).toMatchObject([{ kid: first.kid, state: 'signs', verifiesUntil: null }]);
    await registry.rotate();
    expect((await ofMessages()).map(({ state }) => state)).toEqual(['next', 'signs']);
    store.clock.advance(PUBLISHED_BEFORE + 6 * 86_400_000);
    expect((await ofMessages()).map(({ state }) => state)).toEqual(['signs', 'retired']);
    const stolen = await messages.current();
    expect((await registry.revoke(stolen.kid)).map(({ kid }) => kid)).not.toContain(stolen.kid);
    store.clock.advance(10_000);
    expect((await messages.current()).kid).not.toBe(stolen.kid);
  });

  it('are not revoked where nobody knows them', async () => {
    await expect(registry.revoke('another')).rejects.toThrow('no signing key');
  });

  it('are not encrypted anew without a key to encrypt them under', async () => {
    await expect(registry.reencrypt()).rejects.toThrow('KEY_ENCRYPTION_KEY');
  });
});
