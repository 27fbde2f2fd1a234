import { once } from 'node:events';
import { request } from 'node:http';
import { FixedClock } from '#testing';
import fc from 'fast-check';
import { pino } from 'pino';
import { baseUrlsAt } from './base-urls.js';
import { createHttpAdapter } from './http-server.js';
import { blockOf, type Quota, rateLimitKey, RateLimiter, type RateLimits } from './rate-limiter.js';
import { UNLIMITED } from './testing/index.js';

const open = (limits: Partial<RateLimits>) => {
  const clock = new FixedClock();
  return { clock, rates: new RateLimiter(clock, { ...UNLIMITED, ...limits }) };
};
const take = (rates: RateLimiter, times: number, key: string | null = '192.0.2.1'): void => {
  for (let taken = 0; taken < times; taken += 1) rates.take('publicReads', key);
};

describe('a rate', () => {
  it('lets through what its bucket holds, and then what has come in since', () => {
    const { clock, rates } = open({ publicReads: 3 });
    take(rates, 3);
    expect(() => take(rates, 1)).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfter: 20 }));
    clock.advance(19_999);
    expect(() => take(rates, 1)).toThrow(expect.objectContaining({ retryAfter: 1 }));
    clock.advance(1);
    take(rates, 1);
    expect(() => take(rates, 1)).toThrow('rate_limited');
    clock.advance(60_000);
    take(rates, 3);
    expect(() => take(rates, 1)).toThrow('rate_limited');
  });

  it('gives a steady caller so many a minute as it says, and nobody a whole minute of a high one at once', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (limit) => {
        const { clock, rates } = open({ publicReads: limit });
        const most = (): number => {
          let taken = 0;
          while (rates.wait('publicReads', 'a') === 0) {
            rates.take('publicReads', 'a');
            taken += 1;
          }
          return taken;
        };
        const burst = most();
        expect(burst).toBeLessThanOrEqual(Math.max(72, limit / 12 + 1));
        expect(burst).toBeGreaterThanOrEqual(Math.min(limit, 60));
        let steady = 0;
        for (let second = 0; second < 60; second += 1) {
          clock.advance(1_000);
          steady += most();
        }
        expect(Math.abs(steady - limit)).toBeLessThanOrEqual(1 + limit / 1_000);
      }),
      { numRuns: 25 },
    ));

  it.each([
    [1, 1, 60],
    [20, 20, 60],
    [60, 60, 60],
    [120, 60, 30],
    [300, 60, 12],
    [6_000, 500, 5],
  ])('of %i a minute says that %i may be taken at once, and are there again in %i seconds', (limit, burst, window) => {
    const { rates } = open({ publicReads: limit });
    const told: Quota[] = [];
    rates.take('publicReads', 'a', 1, (quota) => told.push(quota));
    const seconds = Math.ceil(60 / limit);
    expect(told).toEqual([{ name: 'public-reads', burst, window, remaining: burst - 1, seconds }]);
  });

  it('lets what is heavy pass while anything is left, and makes it be waited for', () => {
    const { clock, rates } = open({ publicReads: 60 });
    take(rates, 59);
    rates.take('publicReads', '192.0.2.1', 20);
    expect(rates.wait('publicReads', '192.0.2.1')).toBe(20);
    clock.advance(20_000);
    take(rates, 1);
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

const from = (ip: string, isProxyTrusted = false): string | null =>
  rateLimitKey({ ip, socket: { remoteAddress: ip } }, isProxyTrusted);

describe('the address a request counts under', () => {
  it('is the one it comes from', () => {
    expect(from('192.0.2.1')).toBe('192.0.2.1');
    expect(from('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });

  it('is none for a loopback address while no proxy is trusted', () => {
    const loopback = ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'];
    expect(loopback.map((one) => from(one))).toEqual([null, null, null, null]);
    expect(from('127.0.0.1', true)).toBe('127.0.0.1');
    expect(from('::1', true)).toBe('0:0:0:0::/64');
  });

  it('is the /64 of an IPv6 address in one spelling, since whoever has one has all of them', () => {
    for (const one of ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:0:0:192.0.2.1']) {
      expect(from(one)).toBe('2001:db8:1:2::/64');
    }
    expect(from('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(from('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(from('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });

  it('lies in a block: all of one /48, or one IPv4 address', () => {
    const blocks = ['2001:db8:1:0::/64', '2001:db8:1:1::/64', '2001:db8:1:ffff::/64'].map(blockOf);
    expect(new Set(blocks)).toEqual(new Set(['2001:db8:1::/48']));
    expect(blockOf('2001:db8:2:0::/64')).toBe('2001:db8:2::/48');
    expect(blockOf('192.0.2.1')).toBe('192.0.2.1');
  });
});

const addresses = { urls: baseUrlsAt('http://127.0.0.1:3000'), followLoopback: true };
const servers: { readonly close: () => unknown }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A server that tells what a request from 127.0.0.1 with this `X-Forwarded-For` counts under. */
const serverTrusting = async (trustProxy: string | null) => {
  const adapter = createHttpAdapter({ addresses, logger: pino({ level: 'silent' }), trustProxy });
  const fastify = adapter.getInstance();
  fastify.get('/', ({ address }, reply) => reply.send(JSON.stringify(address)));
  const origin = await fastify.listen({ host: '127.0.0.1', port: 0 });
  servers.push(fastify);
  return async (forwardedFor: string): Promise<unknown> => {
    const sent = request(origin, { headers: { 'x-forwarded-for': forwardedFor }, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const chunk of answer) text += chunk.toString();
    return JSON.parse(text);
  };
};

describe('X-Forwarded-For', () => {
  it('of a trusted proxy names the caller, whatever the caller put before it', async () => {
    const behind = await serverTrusting('127.0.0.1,10.0.0.0/8');
    expect(await behind('198.51.100.7')).toBe('198.51.100.7');
    expect(await behind('203.0.113.9, 198.51.100.7')).toBe('198.51.100.7');
    expect(await behind('203.0.113.9, 198.51.100.7, 10.1.2.3')).toBe('198.51.100.7');
  });

  it('of a trusted proxy that names no address counts as the proxy itself', async () => {
    const behind = await serverTrusting('127.0.0.1');
    for (const nonsense of ['unknown', 'x'.repeat(4_000), '1.2.3.4.5', '', ',', '::g', '203.0.113.9, _hidden']) {
      expect(await behind(nonsense)).toBe('127.0.0.1');
    }
  });

  it('of anybody else is not heard', async () => {
    expect(await (await serverTrusting(null))('198.51.100.7')).toBeNull();
    expect(await (await serverTrusting('10.0.0.0/8'))('198.51.100.7')).toBe('127.0.0.1');
  });
});
