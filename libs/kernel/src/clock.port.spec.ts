import { mock } from 'node:test';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from './clock.port.js';
import { instantOf } from './instant.js';

describe('the system clock', () => {
  afterEach(() => {
    mock.restoreAll();
  });

  it('starts at the time of the last event when the system time is behind it (rule 16)', () => {
    const clock = new SystemClock();
    clock.startAt('2999-01-01T00:00:00.000Z');
    expect(clock.now() >= '2999-01-01T00:00:00.000Z').toBe(true);
  });

  it('advances while the system time runs back, and follows it forwards (rule 16)', () => {
    const system = mock.method(Date, 'now', () => 1_000_000_000_000).mock;
    const timer = mock.method(performance, 'now', () => 0).mock;
    const clock = new SystemClock();
    expect(clock.now()).toBe(instantOf(1_000_000_000_000));
    system.mockImplementation(() => 999_999_000_000);
    timer.mockImplementation(() => 40);
    expect(clock.now()).toBe(instantOf(1_000_000_000_040));
    system.mockImplementation(() => 1_000_000_500_000);
    expect(clock.now()).toBe(instantOf(1_000_000_500_000));
  });
});
