import type { Intercept } from './intercept.js';

/** Holds back calls until they are let through. */
export interface Gate {
  readonly intercept: Intercept;
  /** Resolves when all of them have come to the gate. */
  readonly reached: Promise<void>;
  readonly open: () => void;
}

/** A gate at the first call of each of these names: before it is done, or after it was done and before that is known. */
export const gate = (where: 'before' | 'after', ...names: readonly string[]): Gate => {
  let reach = (): void => undefined;
  let open = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const coming = new Set(names);
  let missing = coming.size;
  const come = () => {
    missing -= 1;
    if (missing === 0) reach();
    return opened;
  };
  const intercept: Intercept = async (call, work) => {
    if (!coming.delete(call)) return work();
    if (where === 'after') {
      const answer = work();
      await answer.catch(() => undefined); // a refusal is held back too
      await come();
      return answer;
    }
    await come();
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

export const counting = (counts: Map<string, number>): Intercept => {
  return (call, work) => {
    counts.set(call, (counts.get(call) ?? 0) + 1);
    return work();
  };
};
