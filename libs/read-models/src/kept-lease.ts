import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases } from '#documents';

/**
 * Takes a lease and prolongs it three times as often as it must be; answers how to give it back. `onError` is told where
 * that fails: whoever works under it goes on, since a lease only saves work.
 */
export const keptLease = async (
  leases: Leases,
  name: string,
  milliseconds: number,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> => {
  await leases.hold(name, milliseconds);
  const ended = new AbortController();
  const { signal } = ended;
  const keep = async (): Promise<void> => {
    const isOver = () => signal.aborted; // it changes meanwhile
    while (!isOver()) {
      await sleep(milliseconds / 3, undefined, { signal }).catch(() => undefined);
      if (!isOver()) await leases.hold(name, milliseconds).catch(onError);
    }
  };
  const keeping = keep();
  return async () => {
    ended.abort();
    await keeping; // one that is being prolonged cannot be given back
    await leases.release(name);
  };
};
