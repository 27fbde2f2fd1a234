import { createHash } from 'node:crypto';
import { FixedClock } from '#testing';
import type { Endpoints } from './endpoints.js';
import { Progress, Watermark } from './progress.js';

type Webhook = Parameters<Progress['open']>[0];
type Body = Webhook['body'];

/** How far the sending to an endpoint is, and what is stored of that. */
const opened = () => {
  // Only these of its members matter to it.
  let stored = { cursor: '1', recent: [] as Body['recent'] } as Body;
  const update = (_id: string, change: (body: Body) => Body | null): Promise<Body | null> => {
    const changed = change(stored);
    if (changed) stored = changed;
    return Promise.resolve(changed);
  };
  const progress = new Progress('w', { stored: { update } } as unknown as Endpoints, new FixedClock());
  const open = () => progress.open({ id: 'w', body: stored } as Webhook);
  open();
  return { progress, open, stored: () => stored.cursor, ask: (cursor: string) => (stored = { ...stored, cursor }) };
};

it('is stored as far as everything was taken up, and goes on from there', async () => {
  const { progress, stored, open } = opened();
  progress.advance('3');
  expect(stored()).toBe('1');
  await progress.save();
  expect(stored()).toBe('3');
  progress.advance('5');
  open(); // another process, or this one once more
  expect(progress.cursor).toBe('3');
});

it('undoes no replay that was asked for meanwhile', async () => {
  const { progress, stored, ask } = opened();
  progress.advance('3');
  ask('0');
  await progress.save();
  expect(stored()).toBe('0');
});

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
