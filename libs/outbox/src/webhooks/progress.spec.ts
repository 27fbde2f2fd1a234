import { FixedClock } from '#testing';
import type { Endpoints } from './endpoints.js';
import { Progress } from './progress.js';

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
