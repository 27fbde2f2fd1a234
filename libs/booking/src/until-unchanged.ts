import { Refusal } from '#kernel';
import { ChangedMeanwhile } from './changed-meanwhile.rule.js';

const TRIES = 5;

/**
 * Does `work` again from the start while the booking changes under it.
 *
 * @throws Refusal `service_unavailable` where it never stands still
 */
export const untilUnchanged = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
  throw new Refusal('service_unavailable');
};
