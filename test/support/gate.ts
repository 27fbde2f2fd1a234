import type { Intercept } from './intercept.js';

/** Holds back one call until it is let through. */
export interface Gate {
  readonly intercept: Intercept;
  /** Resolves when the call has come to the gate. */
  readonly reached: Promise<void>;
  /** Lets it through. */
  readonly open: () => void;
}

/** A gate at the first call of this name: before it is done, or after it was done and before that is known. */
export const gate = (where: 'before' | 'after', name: string): Gate => {
  let reach = (): void => undefined;
  let open = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  let hasPassed = false;
  const intercept: Intercept = async (call, work) => {
    if (call !== name || hasPassed) return work();
    hasPassed = true;
    if (where === 'after') {
      const answer = work();
      await answer.catch(() => undefined); // a refusal is held back too
      reach();
      await opened;
      return answer;
    }
    reach();
    await opened;
    return work();
  };
  return { intercept, reached, open: () => open() };
};

/** Fails the calls of these names, before they are done or afterwards. */
export const failing =
  (where: 'before' | 'after', ...names: readonly string[]): Intercept =>
  async (call, work) => {
    if (!names.includes(call)) return work();
    if (where === 'after') await work();
    throw new Error(`no answer to ${call}`);
  };

/** Counts the calls that go through. */
export const counting = (counts: Map<string, number>): Intercept => {
  return (call, work) => {
    counts.set(call, (counts.get(call) ?? 0) + 1);
    return work();
  };
};
