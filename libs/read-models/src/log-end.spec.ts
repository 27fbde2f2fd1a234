import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Position, positionOf, type StoredEvent } from '#event-store';
import { LogEnd } from './log-end.js';

/** A log whose readings are answered when the test says so. */
const openLog = () => {
  const asked: { readonly answer: (position: Position) => void; readonly fail: () => void }[] = [];
  const head = () =>
    new Promise<StoredEvent>((resolve, reject) => {
      const answer = (position: Position) => resolve({ position } as StoredEvent);
      asked.push({ answer, fail: () => reject(new Error('a test')) });
    });
  return { asked, end: new LogEnd({ head }) };
};
const [FIRST, SECOND] = [positionOf(1), positionOf(2)];

describe('where a log ends', () => {
  it('is read once for all who ask during a reading, and after it, since it may be older than they', async () => {
    const { asked, end } = openLog();
    const first = end.read();
    const later = [end.read(), end.read(), end.read()];
    expect(asked).toHaveLength(1);
    asked[0]?.answer(FIRST);
    expect(await first).toBe(FIRST);
    await nextTurn();
    expect(asked).toHaveLength(2);
    asked[1]?.answer(SECOND);
    expect(await Promise.all(later)).toEqual([SECOND, SECOND, SECOND]);
  });

  it('is read anew by who asks after all others, and while the shared reading is under way', async () => {
    const { asked, end } = openLog();
    const [first, shared] = [end.read(), end.read()];
    asked[0]?.answer(FIRST);
    await first;
    await nextTurn();
    const last = end.read();
    asked[1]?.answer(SECOND);
    expect(await shared).toBe(SECOND);
    await nextTurn();
    asked[2]?.answer(SECOND);
    await last;
    await nextTurn();
    void end.read();
    expect(asked).toHaveLength(4);
  });

  it('is not known where the log does not answer, which keeps no other from asking', async () => {
    const { asked, end } = openLog();
    const [first, second] = [end.read(), end.read()];
    asked[0]?.fail();
    expect(await first).toBeNull();
    await nextTurn();
    asked[1]?.answer(SECOND);
    expect(await second).toBe(SECOND);
  });
});
