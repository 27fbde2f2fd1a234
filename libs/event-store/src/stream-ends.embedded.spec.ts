import { StreamEnds } from './event-store.embedded.js';

const STREAM = 'order-1';

describe('where a stream ends', () => {
  it('is known of what was appended, until more is on its way', () => {
    const ends = new StreamEnds();
    expect(ends.isBeyond(STREAM, 0)).toBe(false);
    ends.sending(STREAM);
    ends.answered(STREAM, { position: 2, revision: 1 });
    expect([1, 2, 3].map((revision) => ends.isBeyond(STREAM, revision))).toEqual([false, true, true]);
    expect(ends.isBeyond('order-2', 2)).toBe(false);
    ends.sending(STREAM);
    expect(ends.isBeyond(STREAM, 2)).toBe(false);
  });

  it('is known of what was read, unless an append is on its way or nobody knows what became of it', () => {
    const ends = new StreamEnds();
    ends.read(STREAM, -1);
    expect([ends.isBeyond(STREAM, 0), ends.isBeyond('order-2', 0)]).toEqual([true, false]);
    for (let appends = 0; appends < 2; appends += 1) ends.sending(STREAM);
    ends.answered(STREAM, null);
    ends.read(STREAM, -1);
    expect(ends.isBeyond(STREAM, 0)).toBe(false);
    ends.answered(STREAM, { position: 7, revision: 3 });
    expect([3, 4].map((revision) => ends.isBeyond(STREAM, revision))).toEqual([false, true]);
  });

  it('is not taken from events that were sent again: others may follow them (rule 12)', () => {
    const ends = new StreamEnds();
    ends.answered(STREAM, { position: 1, revision: 0 });
    ends.answered(STREAM, { position: 2, revision: 1 });
    ends.sending(STREAM);
    ends.answered(STREAM, { position: 1, revision: 0 });
    expect(ends.isBeyond(STREAM, 1)).toBe(false);
  });
});
