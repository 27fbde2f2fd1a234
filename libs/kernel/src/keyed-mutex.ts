/** Work under one name happens one after the other; under different names side by side. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` once everything taken earlier under `name` has ended, well or not. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const mine = (this.last.get(name) ?? Promise.resolve()).then(work, work);
    this.last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(name) === mine) this.last.delete(name);
    }
  }
}

/** Returns what `make` makes, once for everybody who asks. A failure is not kept: who asks next tries again. */
export const lazily = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
};
