import { describe, expect, it } from '@jest/globals';
import { isPassword, storedFrom } from './password.js';

describe('a password', () => {
  it('is proven by itself alone, and stored under a salt of its own', async () => {
    const [one, other] = await Promise.all([storedFrom('alçada-demo'), storedFrom('alçada-demo')]);
    expect(one.hash).not.toBe(other.hash);
    expect(await isPassword('alçada-demo', one)).toBe(true);
    expect(await isPassword('alcada-demo', one)).toBe(false);
    expect(await isPassword('', one)).toBe(false);
  });

  it('is the same however its letters are composed', async () => {
    expect(await isPassword('alc\u0327ada', await storedFrom('al\u00e7ada'))).toBe(true);
  });

  it('of an account that is not there is never right, and is judged at the same cost', async () => {
    const stored = await storedFrom('x');
    const timed = async (what: typeof stored | null) => {
      const start = process.cpuUsage();
      expect(await isPassword('y', what)).toBe(false);
      return process.cpuUsage(start).user;
    };
    const [known, unknown] = [await timed(stored), await timed(null)];
    expect(unknown).toBeGreaterThan(known / 3);
  });
});
