import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { openForAll } from '#testing';
import { authorizationUrl, discover, pkce } from '#agent';
import { PILOT } from '../support/agent.js';
import type { Refused } from '../support/answers.js';
import { sendMessage } from '../support/doors.js';
import { startServiceInMemory } from '../support/service.js';

const service = openForAll(() =>
  startServiceInMemory({
    TRUST_PROXY: '127.0.0.1',
    LIMIT_PUBLIC_READS: '4',
    LIMIT_OPERATIONS: '4',
    LIMIT_FORM_POSTS: '3',
    LIMIT_AUTHORIZATIONS: '2',
  }),
);

const ask = (address: string, path: string, method = 'GET') =>
  fetch(service.origin + path, { method, headers: { 'x-forwarded-for': address }, redirect: 'manual' });

/** What so many requests from an address are answered, one after the other. */
const inTurn = async (times: number, ...request: Parameters<typeof ask>): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let asked = 0; asked < times; asked += 1) statuses.push((await ask(...request)).status);
  return statuses;
};

it.each([
  [1_024, null],
  [1_025, 'invalid_request'],
])('an authorization with a state of %i bytes is answered with the error %j', async (length, error) => {
  const asked = { state: 's'.repeat(length), scopes: ['booking:write'], challenge: pkce().challenge };
  const registration = { ...PILOT, redirectUri: 'http://127.0.0.1:8765/callback' };
  const url = authorizationUrl(await discover(service.origin), registration, asked);
  const { headers } = await fetch(url, { headers: { 'x-forwarded-for': '203.0.113.9' }, redirect: 'manual' });
  const location = new URL(headers.get('location') ?? service.origin, service.origin);
  expect(location.searchParams.get('error')).toBe(error);
});

describe('who asks too often', () => {
  it('is refused at every door, in our form, and told which limit it is and when it ends', async () => {
    await inTurn(4, '192.0.2.1', '/api/v1/health');
    const doors = [
      ...['/', '/voos/nenhum', '/observability', '/docs', '/docs/en', '/assets/nada.css', '/webmcp.js'],
      ...['/api/v1/openapi.json', '/api/v1/openapi.yaml', '/api/v1/health/ready', '/api/v1/flights', '/api/v1/nowhere'],
      ...['/nowhere', '/.well-known/webmcp.json', '/oauth/jwks', '/oauth/logout', '/mcp'],
    ];
    const answers = await Promise.all(doors.map(async (door) => [door, (await ask('192.0.2.1', door)).status]));
    expect(answers).toEqual(doors.map((door) => [door, 429]));
    expect((await ask('192.0.2.1', '/api/v1/flights', 'PUT')).status).toBe(429);

    const refused = await ask('192.0.2.1', '/api/v1/flights');
    const { error, details } = (await refused.json()) as Refused & { readonly details: { readonly endsAt: string } };
    expect({ error, details }).toEqual({
      error: 'rate_limited',
      details: { limit: 'public-reads', endsAt: expect.any(String) },
    });
    expect(Date.parse(details.endsAt)).toBeGreaterThan(Date.now());
    expect(refused.headers.get('ratelimit')).toMatch(/^"public-reads";r=0;t=\d+$/);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('is refused before the body is read: whoever has only said how long it is has the answer', async () => {
    await inTurn(4, '192.0.2.4', '/api/v1/bookings');
    const headers = { 'x-forwarded-for': '192.0.2.4', 'content-type': 'application/json', 'content-length': '60000' };
    const sent = request(`${service.origin}/api/v1/bookings`, { method: 'POST', headers, agent: false });
    sent.flushHeaders();
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(429);
    sent.on('error', () => undefined).destroy();
  });

  it.each(['/', '/observability', '/conta'])('is told so by a page in a browser: %s', async (path) => {
    await inTurn(4, '192.0.2.3', '/api/v1/health');
    const headers = { 'x-forwarded-for': '192.0.2.3', accept: 'text/html,*/*;q=0.8' };
    const refused = await fetch(service.origin + path, { headers, redirect: 'manual' });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toContain('text/html');
  });

  it('can see before how much is left', async () => {
    const { headers } = await ask('192.0.2.2', '/api/v1/nowhere');
    expect(headers.get('ratelimit-policy')).toBe('"public-reads";q=4;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"public-reads";r=3;t=\d+$/);
    expect(headers.get('access-control-expose-headers')).toContain('RateLimit, RateLimit-Policy');
  });

  it('pays for the length of a body, whether it is said before or not', async () => {
    const long = JSON.stringify({ x: 'x'.repeat(5_000) });
    const call = (address: string, body: NonNullable<RequestInit['body']>) => {
      const headers = { 'x-forwarded-for': address, 'content-type': 'application/json' };
      return fetch(`${service.origin}/api/v1/bookings`, { method: 'POST', headers, body, duplex: 'half' });
    };
    const told = (await call('192.0.2.5', long)).headers.get('ratelimit');
    expect(told).toMatch(/^"operations";r=1;t=\d+$/); // three begun pieces of 2 KiB
    await call('192.0.2.6', new Blob([long]).stream());
    expect((await ask('192.0.2.6', '/api/v1/bookings')).headers.get('ratelimit')).toContain('r=0;');
  });

  it('pays for a ticket the same at every door', async () => {
    const [order, headers] = ['00000000-0000-4000-8000-000000000000', { 'x-forwarded-for': '192.0.2.7' }];
    const uri = `alcada://tickets/${order}`;
    const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } };
    const answers = [
      await ask('192.0.2.8', `/conta/pedidos/${order}/bilhete.pdf`),
      await ask('192.0.2.9', `/api/v1/orders/${order}/ticket.pdf`),
      await sendMessage(service.origin, message, headers),
    ];
    // Of four a minute one is there again after 15 seconds: twenty are after 300, but for what passed meanwhile.
    const weights = answers.map((answer) => Number(/;t=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]) / 15);
    expect(weights.map(Math.round)).toEqual([20, 20, 20]);
  });

  it.each(['/api/v1/observability/agent-traffic', '/observability', '/auditoria/reservas/nenhuma'])(
    'pays more for %s',
    async (path) => {
      const address = `192.0.2.${path.length}`;
      expect(await inTurn(2, address, path)).toEqual([200, 429]);
      expect((await ask(address, '/api/v1/health')).status).toBe(429);
    },
  );

  it.each([
    ['operations', 'GET', '/api/v1/bookings', [401, 401, 401, 401, 429]],
    ['form-posts', 'POST', '/oauth/login', [403, 403, 403, 429]],
    ['authorizations', 'GET', '/oauth/authorize', [400, 400, 429]],
  ])('has a limit of its own for %s', async (name, method, path, statuses) => {
    const address = `198.51.100.${statuses.length}`;
    expect(await inTurn(statuses.length, address, path, method)).toEqual(statuses);
    expect((await ask(address, path, method)).headers.get('ratelimit')).toContain(`"${name}";r=0;`);
    expect((await ask(address, '/api/v1/health')).status).toBe(200);
  });
});
