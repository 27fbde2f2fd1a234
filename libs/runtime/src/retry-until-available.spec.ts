import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '#event-store';
import { DomainError } from '#kernel';
import { retryUntilAvailable } from './retry-until-available.js';

describe('a start', () => {
  it('waits for a store that is not there yet', async () => {
    const failures = [new StoreUnavailable('no connection'), new DomainError('service_unavailable')];
    const work = () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve('there');
    };
    expect(await retryUntilAvailable('the event log', work)).toBe('there');
    expect(failures).toEqual([]);
  });

  it('does not wait for what waiting does not mend', async () => {
    const work = () => Promise.reject(new Error('a fault'));
    await expect(retryUntilAvailable('the event log', work)).rejects.toThrow('a fault');
  });
});
