import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SystemClock } from './clock.port.js';
import { instantOf } from './instant.js';

describe('the system clock', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('starts at the time of the last event when the system time is behind it (rule 16)', () => {
    const clock = new SystemClock();
    clock.startAt('2999-01-01T00:00:00.000Z');
    expect(clock.now() >= '2999-01-01T00:00:00.000Z').toBe(true);
  });

  it('advances while the system time runs back, and follows it forwards (rule 16)', () => {
    const system = jest.spyOn(Date, 'now').mockReturnValue(1_000_000_000_000);
    const timer = jest.spyOn(performance, 'now').mockReturnValue(0);
    const clock = new SystemClock();
    expect(clock.now()).toBe(instantOf(1_000_000_000_000));
    system.mockReturnValue(999_999_000_000);
    timer.mockReturnValue(40);
    expect(clock.now()).toBe(instantOf(1_000_000_000_040));
    system.mockReturnValue(1_000_000_500_000);
    expect(clock.now()).toBe(instantOf(1_000_000_500_000));
  });
});
