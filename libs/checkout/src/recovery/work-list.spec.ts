import { ManualClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { BackOff, runnersIn } from './work-list.js';

describe('a work list', () => {
  const store = new MemoryDocuments(new ManualClock());
  beforeAll(async () => {
    await store.prepare({ name: 'work', indexes: [{ fields: ['runner'] }] });
    for (let place = 0; place < 250; place += 1)
      await store.insert('work', `piece ${place}`, { runner: `process ${place % 3}` });
  });

  it('tells which processes run what is in it, each once', async () => {
    expect(await runnersIn(store, 'work')).toEqual(['process 0', 'process 1', 'process 2']);
  });
});

describe('work that fails', () => {
  it('is due again after one second, two, four and so on, up to a minute', () => {
    const clock = new ManualClock();
    const backOff = new BackOff(clock);
    expect(backOff.isDue('a')).toBe(true);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      backOff.fail('a');
      clock.advance(seconds * 1_000 - 1);
      expect([backOff.isDue('a'), backOff.isDue('b')]).toEqual([false, true]);
      clock.advance(1);
      expect(backOff.isDue('a')).toBe(true);
    }
  });

  it('begins with one second again where it was done once, by whomever', () => {
    const clock = new ManualClock();
    const backOff = new BackOff(clock);
    for (const id of ['done here', 'done elsewhere', 'listed']) {
      backOff.fail(id);
      backOff.fail(id);
    }
    backOff.forget('done here');
    backOff.keepOnly(new Set(['listed']));
    for (const id of ['done here', 'done elsewhere', 'listed']) {
      expect(backOff.isDue(id)).toBe(id !== 'listed');
      backOff.fail(id);
    }
    clock.advance(1_000);
    expect([backOff.isDue('done here'), backOff.isDue('done elsewhere'), backOff.isDue('listed')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
