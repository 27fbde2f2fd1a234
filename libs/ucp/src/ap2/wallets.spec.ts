import { randomBytes } from 'node:crypto';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { KEPT_CARDS, KeptCards } from '../payment/kept-cards.js';
import { testKey } from '../testing/index.js';
import { Wallets } from './wallets.js';

const CARD = { cardNumber: '4242424242424242', expiry: '12/49', cvc: '987' };
const settings = { namespace: null, traveller: null, ap2: true };

describe("the cards of a traveller's wallet", () => {
  const clock = new FixedClock();
  const documents = new MemoryDocuments(clock);
  const cards = new KeptCards(documents, [randomBytes(32)]);
  const [ids, jwk] = [new RandomIds(), JSON.stringify(testKey('').jwk)];
  const add = (key: string | null = null, holder = 'ana') =>
    new Wallets(cards, settings, ids, clock).add(holder, CARD, key);
  const outcomes = async (adding: readonly Promise<unknown>[]) => {
    const all = await Promise.allSettled(adding);
    return all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { readonly code: string }).code));
  };
  const count = async () => documents.count(KEPT_CARDS.name, { where: [{ field: 'wallet', equals: 'ana' }] });
  beforeAll(() => documents.prepare(KEPT_CARDS));
  afterEach(() => cards.forgetEvery());

  it('are twenty at most, whoever keeps another at once, and of a key there is one', async () => {
    const tried = await outcomes(Array.from({ length: 30 }, () => add()));
    expect(tried.filter((one) => one === 'added')).toHaveLength(20);
    expect(new Set(tried)).toEqual(new Set(['added', 'rate_limited']));
    expect(await count()).toBe(20);
    const wallets = new Wallets(cards, settings, ids, clock);
    for (const { id } of (await wallets.of('ana')).slice(0, 2)) await wallets.remove('ana', id);
    expect((await outcomes([add(jwk), add(jwk, 'bruno'), add(jwk)])).sort()).toEqual([
      'added',
      'known_key',
      'known_key',
    ]);
  });

  it('count where they were kept before each had a place', async () => {
    await add();
    const [{ body } = {}] = await cards.stored.find({
      ...{
        where: [{ field: 'wallet', equals: 'ana' }],
        sort: { field: 'createdAt', direction: 'ascending' },
        limit: 1,
      },
    });
    if (!body) throw new Error('it is kept');
    const { slot: _, ...before } = body;
    for (let n = 0; n < 5; n += 1) await cards.stored.insert(`earlier ${n}`, before);
    const tried = await outcomes(Array.from({ length: 20 }, () => add()));
    expect(tried.filter((one) => one === 'added')).toHaveLength(14);
    expect(await count()).toBe(20);
  });
});
