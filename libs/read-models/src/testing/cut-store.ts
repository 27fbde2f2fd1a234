import type { GuardedWrite, ReadModelStore } from '#documents';
import { overriding } from '#kernel';

export class Cut extends Error {
  override readonly name = 'Cut';
}

interface Breaking extends ReadModelStore {
  mend: () => void;
  /** How many guarded writes were asked for and done. */
  written: () => number;
}

/** A store whose connection breaks after so many guarded writes, wherever in a batch that is, until `mend`. */
export const cutStore = (inner: ReadModelStore, budget: number): Breaking => {
  let done = 0;
  const putGuarded = async (collection: string, writes: readonly GuardedWrite[]): Promise<readonly string[]> => {
    const ahead: string[] = [];
    for (const write of writes) {
      if (done === budget) throw new Cut(`after ${done} writes`);
      ahead.push(...(await inner.putGuarded(collection, [write])));
      done += 1;
    }
    return ahead;
  };
  const mend = (): void => void (budget = Infinity);
  return overriding(inner as Breaking, { putGuarded, mend, written: () => done });
};
