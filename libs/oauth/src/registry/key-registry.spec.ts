import { RandomIds } from '#kernel';
import { openTestStores } from '../../../identity/src/testing/index.js';
import { PUBLISHED_BEFORE } from '../keys/signing-key.js';
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

  it('are not revoked where nobody knows them', async () => {
    await expect(registry.revoke('another')).rejects.toThrow('no signing key');
  });

  it('are not encrypted anew without a key to encrypt them under', async () => {
    await expect(registry.reencrypt()).rejects.toThrow('KEY_ENCRYPTION_KEY');
  });
});
