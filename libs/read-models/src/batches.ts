import { setImmediate as nextTurn } from 'node:timers/promises';

/** At least one item. */
export type Batch<Item> = readonly [Item, ...Item[]];

/**
 * The items of `source` in batches: all that is ready in a turn of the loop, at most `atMost`. The next item is asked
 * for while a batch is being handled.
 */
export async function* batches<Item>(source: AsyncIterable<Item>, atMost: number): AsyncGenerator<Batch<Item>> {
  const iterator = source[Symbol.asyncIterator]();
  let next = asked(iterator);
  try {
    for (let first = await next; !first.done; first = await next) {
      const batch: [Item, ...Item[]] = [first.value];
      next = asked(iterator);
      const turn = nextTurn(null);
      while (batch.length < atMost) {
        const ready = await Promise.race([next, turn]);
        if (ready === null || ready.done) break;
        batch.push(ready.value);
        next = asked(iterator);
      }
      yield batch;
    }
  } finally {
    // Not awaited: it ends after the item asked for, which may take for ever. Who leaves early aborts the source.
    iterator.return?.().catch(() => undefined);
  }
}

/** The next item. What it fails with is heard when it is awaited, which may be after the batch before it. */
const asked = <Item>(iterator: AsyncIterator<Item>): Promise<IteratorResult<Item, unknown>> => {
  const next = iterator.next();
  next.catch(() => undefined);
  return next;
};
