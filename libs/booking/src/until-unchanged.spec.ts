import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { ChangedMeanwhile } from './booking.decider.js';
import { untilUnchanged } from './until-unchanged.js';

describe('work on a booking that changes under it', () => {
  it('begins anew until it stands still, however often that is', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      return tries < 100 ? Promise.reject(new ChangedMeanwhile()) : Promise.resolve('done');
    };
    expect(await untilUnchanged(work)).toBe('done');
    expect(tries).toBe(100);
  });

  it('ends with what else goes wrong', async () => {
    const work = () => Promise.reject(new DomainError('booking_locked'));
    await expect(untilUnchanged(work)).rejects.toMatchObject({ code: 'booking_locked' });
  });
});
