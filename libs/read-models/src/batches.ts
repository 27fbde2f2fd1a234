import { type Clock, nextTurn, within } from '#kernel';

export type Batch<Item> = readonly [Item, ...Item[]];

/** The items of `source` in batches: all that is ready in one turn, at most `atMost`. The next is requested meanwhile. */
export async function* batches<Item>(source: AsyncIterable<Item>, atMost: number): AsyncGenerator<Batch<Item>> {
  const iterator = source[Symbol.asyncIterator]();
  let next = request(iterator);
  try {
    for (let first = await next; !first.done; first = await next) {
      const batch: [Item, ...Item[]] = [first.value];
      let isOver = false;
      const ask = (): void => {
        next = request(iterator);
        void next.then(take, () => undefined);
      };
      const take = (result: IteratorResult<Item, unknown>): void => {
        if (isOver || result.done || batch.length >= atMost) return; // it is the first of the next batch, or the end
        batch.push(result.value);
        ask();
      };
      ask();
      await nextTurn();
      isOver = true;
      yield batch;
    }
  } finally {
    release(iterator);
  }
}

/** The items of `source`, and null once none has followed an item for `idle` milliseconds. */
export async function* withIdleness<Item>(
  source: AsyncIterable<Item>,
  idle: number,
  clock: Clock,
): AsyncGenerator<Item | null> {
  const iterator = source[Symbol.asyncIterator]();
  let isReported = true;
  try {
    for (let next = request(iterator); ;) {
      const result: IteratorResult<Item, unknown> | null = isReported
        ? await next
        : await within(clock, idle, next, () => null);
      isReported = result === null;
      if (result?.done) return;
      yield result === null ? null : result.value;
      if (result !== null) next = request(iterator);
    }
  } finally {
    release(iterator);
  }
}

/** Requests the next item. Its failure is thrown where it is awaited, which may be later. */
const request = <Item>(iterator: AsyncIterator<Item>): Promise<IteratorResult<Item, unknown>> => {
  const next = iterator.next();
  next.catch(() => undefined);
  return next;
};

/** Not awaited: it ends after the item requested, which may never come. A caller that leaves early aborts the source. */
const release = (iterator: AsyncIterator<unknown>): void => {
  iterator.return?.().catch(() => undefined);
};
