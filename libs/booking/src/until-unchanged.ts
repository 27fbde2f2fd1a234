import { StreamBusy } from '#event-store';
import type { Clock } from '#kernel';
import { ChangedMeanwhile } from './booking.decider.js';

/** How long (ms) a booking may go on changing, as `handle()` waits for a busy stream (docs/consistency.md, rule 14). */
const PATIENCE = 5_000;

/** Does `work` again from the start while the booking changes under it. @throws StreamBusy after 5 s of it */
export const untilUnchanged = async <Result>(clock: Clock, work: () => Promise<Result>): Promise<Result> => {
  const deadline = clock.monotonic() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (clock.monotonic() >= deadline) throw new StreamBusy('a booking kept changing', { cause: error });
    }
  }
};
