import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createHttpAdapter } from './http-server.js';
import { rateLimitKey } from './rate-limit-key.js';
import { baseUrlsAt } from './base-urls.js';

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
