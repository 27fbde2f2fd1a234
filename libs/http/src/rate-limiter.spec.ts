import { describe, expect, it } from '@jest/globals';
import { FixedClock } from '#testing';
import { RateLimiter, type RateLimits } from './rate-limiter.js';

const OFF: RateLimits = { publicReads: 0, tokenRequests: 0, clientFailures: 0, logIns: 0 };
const open = (limits: Partial<RateLimits>) => {
  const clock = new FixedClock();
  return { clock, rates: new RateLimiter(clock, { ...OFF, ...limits }) };
};
const take = (rates: RateLimiter, times: number, key: string | null = '192.0.2.1'): void => {
  for (let taken = 0; taken < times; taken += 1) rates.take('publicReads', key);
};

describe('a rate', () => {
  it('lets so many through in the minute that begins with the first, and says when it ends', () => {
    const { clock, rates } = open({ publicReads: 3 });
    take(rates, 3);
    clock.advance(20_500);
    expect(() => take(rates, 1)).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfter: 40 }));
    clock.advance(39_499);
    expect(() => take(rates, 1)).toThrow(expect.objectContaining({ retryAfter: 1 }));
    clock.advance(1);
    take(rates, 3);
  });

  it('does not count what it refused: who keeps asking waits no longer', () => {
    const { clock, rates } = open({ publicReads: 1 });
    take(rates, 1);
    for (let second = 0; second < 60; second += 1) {
      expect(() => take(rates, 1)).toThrow('rate_limited');
      clock.advance(1_000);
    }
    take(rates, 1);
  });

  it('counts each address and each rate by itself', () => {
    const { rates } = open({ publicReads: 1, tokenRequests: 1 });
    take(rates, 1);
    take(rates, 1, '192.0.2.2');
    rates.take('tokenRequests', '192.0.2.1');
    expect(() => rates.take('tokenRequests', '192.0.2.1')).toThrow('rate_limited');
  });

  it('is unbounded where it is 0, and for what is not limited by address', () => {
    take(open({ publicReads: 0 }).rates, 100);
    take(open({ publicReads: 1 }).rates, 100, null);
  });

  it('remembers no more addresses than it has room for, and those it hears from longest', () => {
    const { rates } = open({ publicReads: 1 });
    take(rates, 1, 'silent');
    take(rates, 1, 'busy');
    for (let invented = 0; invented < 20_000; invented += 1) {
      rates.take('publicReads', `2001:db8:${invented.toString(16)}::/64`);
      if (invented % 1_000 === 0) expect(rates.wait('publicReads', 'busy')).toBe(60);
    }
    expect(rates.wait('publicReads', 'silent')).toBe(0);
  });
});
