/**
 * Answers what `make` makes, when it is first asked for and once for everybody who asks. A failure is told to those who
 * waited for it and not kept: who asks next tries again.
 */
export const lazily = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
};
