import { positionOf } from '#event-store';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { listed, listPage, MOST_COUNTED } from './list-page.js';

const store = new MemoryDocuments(new FixedClock());
beforeAll(() => store.prepare({ name: 'notes', indexes: [{ fields: ['holder', 'at'] }, { fields: ['at'] }] }));

const write = (from: number, to: number) =>
  store.putGuarded(
    'notes',
    Array.from({ length: to - from }, (_, place) => {
      const at = String(from + place).padStart(6, '0');
      return { id: at, body: { holder: 'ana', at }, position: positionOf(1), isNew: true };
    }),
  );
const page = (cursor?: string) =>
  listPage(store, 'notes', {
    where: [{ field: 'holder', equals: 'ana' }],
    sort: { field: 'at', direction: 'ascending' },
    limit: 2,
    cursor,
  });

describe('a list', () => {
  it('is read page by page, of which the last names no next one', async () => {
    await write(0, 4);
    const first = await page();
    const last = await page(first.nextCursor ?? '');
    expect([...first.items, ...last.items].map(({ id }) => id)).toEqual(['000000', '000001', '000002', '000003']);
    expect(last.nextCursor).toBeNull();
    await write(4, 5);
    const second = await page(first.nextCursor ?? '');
    expect(await page(second.nextCursor ?? '')).toMatchObject({ items: [{ id: '000004' }], nextCursor: null });
  });

  it('is counted exactly up to 10,000, and says where there are more', async () => {
    await write(5, MOST_COUNTED);
    const { count, countIsExact, items } = await page();
    expect([count, countIsExact, items.length]).toEqual([MOST_COUNTED, undefined, 2]);
    await write(MOST_COUNTED, MOST_COUNTED + 2);
    expect(await page()).toMatchObject({ count: MOST_COUNTED, countIsExact: false });
  });
});

describe('all that matches', () => {
  beforeAll(async () => {
    await store.prepare({ name: 'work', indexes: [{ fields: ['dueAt'] }] });
    for (let place = 0; place < 250; place += 1)
      await store.insert('work', `piece ${place}`, { dueAt: (place % 125).toString().padStart(3, '0') });
  });

  it('is gone through page by page, each piece once, the earliest first', async () => {
    const due: string[] = [];
    const condition = { field: 'dueAt', below: '110' };
    for await (const { id, body } of listed<{ readonly dueAt: string }>(store, 'work', condition))
      due.push(`${body.dueAt} ${id}`);
    expect(due).toHaveLength(220);
    expect(new Set(due).size).toBe(220);
    expect(due.map((one) => one.slice(0, 3))).toEqual(due.map((one) => one.slice(0, 3)).toSorted());
  });
});
