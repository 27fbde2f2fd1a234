import { createHash } from 'node:crypto';
import { Watermark } from './watermark.js';

const keys = Array.from({ length: 30 }, (_, n) => String(n + 10));
/** Always the same order for a seed. */
const shuffled = (seed: number): readonly string[] => {
  const rank = (key: string) => createHash('sha256').update(`${seed} ${key}`).digest('hex');
  return keys.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
};

describe('the mark up to which everything was taken', () => {
  it('is never past what is outstanding, nor behind what is not, in whatever order events are taken', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const mark = new Watermark('09');
      mark.begin(keys);
      const left = new Set(keys);
      for (const key of shuffled(seed)) {
        const first = keys.find((one) => left.has(one)) ?? '';
        const before = keys[keys.indexOf(first) - 1] ?? '09';
        expect([seed, key, mark.with(key), mark.reached]).toEqual([seed, key, key === first ? key : before, before]);
        mark.reach('99');
        left.delete(key);
        mark.note(key);
      }
      expect(mark.reached).toBe('39');
      mark.reach('99');
      expect(mark.reached).toBe('99');
      mark.begin(['05']); // asked for again
      mark.note('05');
      expect(mark.reached).toBe('99');
    }
  });
});
