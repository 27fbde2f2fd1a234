import type { EventRows, Row } from './event-rows.embedded.js';
import { LogTail } from './log-tail.embedded.js';

const STREAM = 'order-1';

/** A log of one stream, and its tail; `readFrom`: the places from which the file was read. */
const logOf = () => {
  const rows: Row[] = [];
  const readFrom: number[] = [];
  const file: EventRows = {
    ofStream: () => [],
    between: (from, to) => {
      readFrom.push(from);
      return rows.slice(from, to);
    },
    hashesBetween: () => [],
    newest: () => rows.at(-1),
    end: () => rows.length,
  };
  const tail = new LogTail(file);
  const end = tail.begin();
  const append = (bytes: number): void => {
    const event = {
      id: `${rows.length}`,
      type: 'OrderPaid',
      data: JSON.stringify({ text: 'x'.repeat(bytes) }),
      metadata: '{}',
    };
    const [position, revision] = [rows.length + 1, rows.length];
    rows.push({ ...event, position, stream: STREAM, revision });
    tail.add(STREAM, [event], { position, revision });
  };
  const revisionsFrom = (from: number): readonly number[] =>
    tail.between(from, rows.length, ['order']).map(({ revision }) => revision);
  return { rows, tail, append, revisionsFrom, readFrom, end };
};

describe('the end of the log in memory', () => {
  it.each([
    ['many small events', 6_000, 500],
    ['a few large ones', 60, 50_000],
  ])('is bounded by its bytes, of %s: who is further behind reads the file', (_, count, bytes) => {
    const { append, revisionsFrom, readFrom } = logOf();
    for (let n = 0; n < count; n += 1) append(bytes);
    const revisions = Array.from({ length: count }, (_, revision) => revision);
    const inMemory = Math.floor(1_000_000 / (bytes + 50));
    expect(revisionsFrom(count - inMemory)).toEqual(revisions.slice(-inMemory));
    expect(readFrom).toEqual([]);
    const tooMany = Math.ceil(2_300_000 / bytes);
    expect(revisionsFrom(count - tooMany)).toEqual(revisions.slice(-tooMany));
    expect(revisionsFrom(0)).toEqual(revisions);
    expect(readFrom).toEqual([count - tooMany, 0]);
  });

  it('keeps nothing that nobody follows', () => {
    const { append, revisionsFrom, readFrom, end } = logOf();
    append(10);
    end();
    append(10);
    expect(revisionsFrom(0)).toEqual([0, 1]);
    expect(readFrom).toEqual([0]);
  });

  it.each([
    ['what a page holds is read once for all', 200, [[0], [0]]],
    ['of more than a page each reads what is before it', 600, [[344], [344, 0]]],
  ])('takes in what another connection appended: %s', (_, count, [atOnce, afterwards]) => {
    const { append, revisionsFrom, readFrom, rows, tail } = logOf();
    const other = logOf();
    for (let n = 0; n < count; n += 1) other.append(10);
    rows.push(...other.rows);
    tail.refresh();
    expect(tail.end).toBe(count);
    expect(readFrom).toEqual(atOnce);
    const revisions = rows.map(({ revision }) => revision);
    for (let follower = 0; follower < 3; follower += 1)
      expect(revisionsFrom(count - 100)).toEqual(revisions.slice(-100));
    expect(revisionsFrom(0)).toEqual(revisions);
    expect(readFrom).toEqual(afterwards);
    append(10);
    expect(revisionsFrom(count)).toEqual([count]);
  });
});
