import { randomBytes } from 'node:crypto';
import { SealBroken } from '#documents';
import { plus } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { KEPT_CARDS, KeptCards } from './kept-cards.js';
import { TravellerTokens } from './traveller-tokens.js';

const PARTY = { holder: 'ana', clientId: 'cimd-plataforma' };
const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12/49', cvc: '987' };
const [first, second] = [randomBytes(32), randomBytes(32)];

describe('tokens as they are kept', () => {
  const clock = new FixedClock();
  const documents = new MemoryDocuments(clock);
  const cardsBy = (...keys: readonly Buffer[]) => new KeptCards(documents, keys);
  const sealedBy = (...keys: readonly Buffer[]) => new TravellerTokens(cardsBy(...keys));
  const terms = () => ({ party: PARTY, mandateId: 'm', card: CARD, at: clock.now(), until: plus(clock.now(), 60_000) });
  beforeAll(() => documents.prepare(KEPT_CARDS));
  afterEach(() => cardsBy(first).forgetEvery());

  it('follow another key, and open by no one else', async () => {
    const token = await sealedBy(first).make(terms());
    const stored = JSON.stringify(await documents.scan(KEPT_CARDS.name, null, 10));
    // In quotes: three digits may well stand in what is encrypted.
    for (const secret of [token, '4242424242', '4242 4242', `"${CARD.cvc}"`]) expect(stored).not.toContain(secret);
    expect([await cardsBy(second, first).reencrypt(), await cardsBy(second, first).reencrypt()]).toEqual([1, 0]);
    const kept = await sealedBy(second).found(token);
    if (!kept) throw new Error('it is kept');
    await expect(sealedBy(first).use(kept, clock.now())).rejects.toThrow(SealBroken);
    expect(await sealedBy(second).use(kept, clock.now())).toEqual(CARD);
    await sealedBy(second).remove({ ...PARTY, holder: 'bruno' }, kept.id);
    expect(await sealedBy(second).found(token)).not.toBeNull();
    await sealedBy(second).remove(PARTY, kept.id);
    expect([await sealedBy(second).found(token), await sealedBy(second).use(kept, clock.now())]).toEqual([null, null]);
  });

  it('are ten for an agent at most, end by themselves, and are of no other form', async () => {
    const tokens = sealedBy(first);
    const made = await tokens.make(terms());
    for (let n = 1; n < 10; n += 1) await tokens.make(terms());
    await expect(tokens.make(terms())).rejects.toMatchObject({ code: 'rate_limited' });
    const [{ id } = { id: '' }] = await tokens.of(PARTY);
    for (const wrong of [id, made.slice(5), `${made} `, '', 'alct_']) expect(await tokens.found(wrong)).toBeNull();
    clock.advance(60_000);
    expect(await tokens.found(made)).toBeNull();
  });

  it('are no more than ten, however many are made at once', async () => {
    const made = await Promise.allSettled(Array.from({ length: 15 }, () => sealedBy(first).make(terms())));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await documents.count(KEPT_CARDS.name, { where: [] })).toBe(10);
  });
});
