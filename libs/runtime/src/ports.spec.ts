import { describe, expect, it } from '@jest/globals';
import { DocumentsUnavailable } from '#documents';
import { StoreUnavailable } from '#event-store';
import { SystemClock } from '#kernel';
import { retryUntilAvailable } from './ports.js';

const clock = new SystemClock();

describe('a start', () => {
  it('waits for a store that is not there yet', async () => {
    const failures = [new StoreUnavailable('no connection'), new DocumentsUnavailable('no connection')];
    const work = () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve('there');
    };
    expect(await retryUntilAvailable(clock, 'the event log', work)).toBe('there');
    expect(failures).toEqual([]);
  });

  it('does not wait for what waiting does not mend', async () => {
    const work = () => Promise.reject(new Error('a fault'));
    await expect(retryUntilAvailable(clock, 'the event log', work)).rejects.toThrow('a fault');
  });
});
