import { verifyPassword, dummyPassword, hashPassword } from './passwords.js';

const CHEAP = { N: 1_024, r: 8, p: 1 };

describe('a password', () => {
  it('matches itself alone, and is stored with a salt of its own', async () => {
    const [one, other] = await Promise.all([hashPassword('alçada-demo', CHEAP), hashPassword('alçada-demo', CHEAP)]);
    expect(one.hash).not.toBe(other.hash);
    expect(await verifyPassword('alçada-demo', one)).toBe(true);
    expect(await verifyPassword('alcada-demo', one)).toBe(false);
    expect(await verifyPassword('', one)).toBe(false);
  });

  it('is the same whichever way its letters are composed', async () => {
    expect(await verifyPassword('alc\u0327ada', await hashPassword('al\u00e7ada', CHEAP))).toBe(true);
  });

  it('is checked at the cost it was stored with', async () => {
    const stored = await hashPassword('alçada-demo', { N: 2_048, r: 4, p: 2 });
    expect(stored.cost).toEqual({ N: 2_048, r: 4, p: 2 });
    expect(await verifyPassword('alçada-demo', stored)).toBe(true);
  });

  it('is checked outside the main thread', async () => {
    const stored = await hashPassword('alçada-demo', CHEAP);
    let isServing = false;
    setImmediate(() => (isServing = true));
    expect(await verifyPassword('alçada-demo', stored)).toBe(true);
    expect(isServing).toBe(true);
  });

  it('of an unknown account is checked with the same work: the same cost, and salt and hash of the same length', async () => {
    const stored = await hashPassword('x', CHEAP);
    const dummy = dummyPassword(CHEAP);
    expect(dummy.cost).toEqual(stored.cost);
    expect([dummy.salt.length, dummy.hash.length]).toEqual([stored.salt.length, stored.hash.length]);
    expect(await verifyPassword('x', dummy)).toBe(false);
  });
});
