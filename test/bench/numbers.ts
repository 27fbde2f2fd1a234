/** The value below which a share (0 to 1) of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Milliseconds that some work takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Work for every item, so many at a time. */
export const side = async <Item>(
  bySide: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: bySide }, worker));
};

/** Two kinds of work by turns, `pairs` times, each first in every other pair; answers the milliseconds of each. */
export const byTurns = async (
  pairs: number,
  one: (pair: number) => Promise<unknown>,
  other: (pair: number) => Promise<unknown>,
): Promise<{ readonly one: readonly number[]; readonly other: readonly number[] }> => {
  const times: { one: number[]; other: number[] } = { one: [], other: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const inTurn = pair % 2 === 0 ? (['one', 'other'] as const) : (['other', 'one'] as const);
    for (const which of inTurn) times[which].push(await timed(() => (which === 'one' ? one(pair) : other(pair))));
  }
  return times;
};
