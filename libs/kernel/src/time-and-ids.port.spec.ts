import { mock } from 'node:test';
import { instantOf, SystemClock, within } from './time-and-ids.port.js';

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
    expect(clock.ahead).toBe(1_000_040);
    system.mockImplementation(() => 1_000_000_500_000);
    expect(clock.now()).toBe(instantOf(1_000_000_500_000));
    expect(clock.ahead).toBe(0);
  });

  it('ends a sleep as soon as its signal aborts, and does not begin one afterwards', async () => {
    const clock = new SystemClock();
    const ended = new AbortController();
    const sleeping = clock.sleep(60_000, ended.signal);
    ended.abort();
    await sleeping;
    await clock.pause(60_000, ended.signal);
  });

  it('does not call a callback that was cancelled', async () => {
    const clock = new SystemClock();
    const calls: string[] = [];
    clock.after(1, () => calls.push('cancelled'))();
    await new Promise<void>((resolve) => {
      const cancel = clock.every(1, () => {
        calls.push('every');
        cancel();
        clock.after(5, resolve);
      });
      clock.after(1_000, () => undefined)();
    });
    expect(calls).toEqual(['every']);
  });
});

describe('within', () => {
  const clock = new SystemClock();
  const never = new Promise<string>(() => undefined);

  it('is the answer where it comes in time, and its error', async () => {
    expect(await within(clock, 60_000, Promise.resolve('answer'), () => 'late')).toBe('answer');
    await expect(within(clock, 60_000, Promise.reject(new Error('broken')), () => 'late')).rejects.toThrow('broken');
  });

  it('is what lateness means where it does not', async () => {
    expect(await within(clock, 1, never, () => 'late')).toBe('late');
    const thrown = within(clock, 1, never, () => {
      throw new Error('late');
    });
    await expect(thrown).rejects.toThrow('late');
  });
});
