import { StreamBusy } from '#event-store';
import { DomainError } from '#kernel';
import { FixedClock, ManualClock } from '#testing';
import { ChangedMeanwhile } from './booking.decider.js';
import { untilUnchanged } from './bookings.js';

describe('work on a booking that changes under it', () => {
  it('begins anew until it stands still, however often that is', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      return tries < 100 ? Promise.reject(new ChangedMeanwhile()) : Promise.resolve('done');
    };
    expect(await untilUnchanged(new FixedClock(), work)).toBe('done');
    expect(tries).toBe(100);
  });

  it('is given up as unavailable after five seconds', async () => {
    const clock = new ManualClock();
    const work = () => {
      clock.advance(1_000);
      return Promise.reject(new ChangedMeanwhile());
    };
    await expect(untilUnchanged(clock, work)).rejects.toThrow(StreamBusy);
  });

  it('ends with what else goes wrong', async () => {
    const work = () => Promise.reject(new DomainError('booking_locked'));
    await expect(untilUnchanged(new FixedClock(), work)).rejects.toMatchObject({ code: 'booking_locked' });
  });
});
