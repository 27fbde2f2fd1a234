import { describe, expect, it } from '@jest/globals';
import { isPassword, nobodysPassword, storedFrom } from './password.js';

const CHEAP = { N: 1_024, r: 8, p: 1 };
/** What `PASSWORD_COST` asks for by default. */
const REAL = { N: 2 ** 15, r: 8, p: 3 };

/** Milliseconds of a core. */
const cpuTimeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = process.cpuUsage();
  await work();
  return process.cpuUsage(start).user / 1_000;
};

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

  it('costs a guess enough by default, off the thread that serves', async () => {
    const stored = await storedFrom('alçada-demo', REAL);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const cost = await cpuTimeOf(async () => {
      expect(await isPassword('alçada-demo', stored)).toBe(true);
    });
    clearInterval(timer);
    expect(cost).toBeGreaterThan(40);
    expect(turns).toBeGreaterThan(10);
  });

  it('of an account that is not there is judged at the same cost', async () => {
    const stored = await storedFrom('x', REAL);
    const known = await cpuTimeOf(() => isPassword('y', stored));
    const unknown = await cpuTimeOf(() => isPassword('y', nobodysPassword(REAL)));
    expect(unknown).toBeGreaterThan(known / 3);
  });
});
