/** The items of `source`, and null once none has come for `idle` milliseconds after one. */
export async function* withIdleness<Item>(source: AsyncIterable<Item>, idle: number): AsyncGenerator<Item | null> {
  const iterator = source[Symbol.asyncIterator]();
  let isTold = true;
  try {
    for (let next = asked(iterator); ;) {
      const result: IteratorResult<Item, unknown> | null = isTold ? await next : await within(idle, next);
      isTold = result === null;
      if (result?.done) return;
      yield result === null ? null : result.value;
      if (result !== null) next = asked(iterator);
    }
  } finally {
    // Not awaited: it ends after the item asked for, which may take for ever. Who leaves early aborts the source.
    iterator.return?.().catch(() => undefined);
  }
}

/** The next item. What it fails with is heard when it is awaited, which may be later. */
const asked = <Item>(iterator: AsyncIterator<Item>): Promise<IteratorResult<Item, unknown>> => {
  const next = iterator.next();
  next.catch(() => undefined);
  return next;
};

/** What is answered in time; else null. */
const within = <Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer | null> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), milliseconds)));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};
