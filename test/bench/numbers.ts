/** The value below which a share (0 to 1) of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

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

/** The middle of the rounds, with the least and the most of them: `812 (790 to 840)`. */
export const spread = (values: readonly number[], digits = 0): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

/** How often something is done a second, if `count` of it took so many milliseconds. */
export const perSecond = (count: number, milliseconds: number): number => (count / milliseconds) * 1_000;

/** `1.23 ×`: the middle of what each round's own pair says, since what else the machine does falls on both of a round. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, round) => value / (theirs[round] ?? NaN)));

export const aimed = (figure: number, target: number): string =>
  `${figure.toFixed(2)} × (${figure >= target ? 'reaches' : 'MISSES'} the ${target} × aimed at)`;
