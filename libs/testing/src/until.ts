import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once this is so, however long a busy machine takes; what never is so ends with the time of its case. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await sleep(10);
};
