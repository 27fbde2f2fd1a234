import { describe, expect, it } from '@jest/globals';
import { isPassword, nobodysPassword, storedFrom } from './password.js';

const CHEAP = { N: 1_024, r: 8, p: 1 };

describe('a password', () => {
  it('is proven by itself alone, and stored under a salt of its own', async () => {
    const [one, other] = await Promise.all([storedFrom('alçada-demo', CHEAP), storedFrom('alçada-demo', CHEAP)]);
    expect(one.hash).not.toBe(other.hash);
    expect(await isPassword('alçada-demo', one)).toBe(true);
    expect(await isPassword('alcada-demo', one)).toBe(false);
    expect(await isPassword('', one)).toBe(false);
  });

  it('is the same however its letters are composed', async () => {
    expect(await isPassword('alc\u0327ada', await storedFrom('al\u00e7ada', CHEAP))).toBe(true);
  });

  it('is proven at the cost it was stored at', async () => {
    const stored = await storedFrom('alçada-demo', { N: 2_048, r: 4, p: 2 });
    expect(stored.cost).toEqual({ N: 2_048, r: 4, p: 2 });
    expect(await isPassword('alçada-demo', stored)).toBe(true);
  });

  it('is proven off the thread that serves', async () => {
    const stored = await storedFrom('alçada-demo', CHEAP);
    let isServing = false;
    setImmediate(() => (isServing = true));
    expect(await isPassword('alçada-demo', stored)).toBe(true);
    expect(isServing).toBe(true);
  });

  it('of an account that is not there is judged by the same work: the same cost, salt and hash of the same length', async () => {
    const stored = await storedFrom('x', CHEAP);
    const nobodys = nobodysPassword(CHEAP);
    expect(nobodys.cost).toEqual(stored.cost);
    expect([nobodys.salt.length, nobodys.hash.length]).toEqual([stored.salt.length, stored.hash.length]);
    expect(await isPassword('x', nobodys)).toBe(false);
  });
});
