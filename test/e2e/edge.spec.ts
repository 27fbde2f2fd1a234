import type { RunningApi } from '../../apps/api/src/start.js';
import type { Api } from '#agent';
import { agentAt, apiAt, BRUNO } from '../support/agent.js';
import { changesOf } from '../support/changes.js';
import { bodyOf, book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { refusalOf, refused } from '../support/refusal.js';
import { letPass } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

const setting = new SmallSetting();
let service: RunningApi;
let ana: Api;
beforeAll(() => {
  ({ service, ana } = setting);
});

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(service.origin + path, { method, headers });

describe('a request id', () => {
  it('of ours is the correlation id of what the request wrote', async () => {
    let id: string | null = null;
    const { events } = await changesOf(service, async () => {
      id = (await ana.post('/bookings')).headers.get('x-request-id');
    });
    expect(events.at(-1)?.metadata).toMatchObject({
      $correlationId: id,
      $causationId: expect.stringMatching(/^[0-9a-f]{16}$/),
      actor: { clientId: 'alcada-pilot' },
    });
  });

  it('of the caller is a label only: what the request wrote has ids that nobody can choose', async () => {
    const label = { 'x-request-id': '2f8a5c1e-7a3b-4c55-9d10-0d4d6c2f1a77' };
    const written = [];
    for (let twice = 0; twice < 2; twice += 1) {
      const { events } = await changesOf(service, () => ana.call('POST', '/bookings', {}, label));
      const { $correlationId, $causationId } = events.at(-1)?.metadata ?? {};
      expect([$correlationId, $causationId]).toEqual([
        expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/),
        expect.stringMatching(/^[0-9a-f]{16}$/),
      ]);
      written.push($correlationId, $causationId);
    }
    expect(new Set([...written, label['x-request-id']]).size).toBe(5);
  });
});

describe('a public read', () => {
  it.each(['/flights', '/flights/AL1201', '/flights/AL1201/fares?budget=50000'])(
    '(%s) is not sent again to who has it',
    async (path) => {
      const first = await send('GET', `/api/v1${path}`);
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^".+"$/);
      const again = await send('GET', `/api/v1${path}`, { 'if-none-match': `"x", W/${tag}` });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, '']);
      const head = await send('HEAD', `/api/v1${path}`);
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
    },
  );
});

describe('what only its holder may read', () => {
  let paths: readonly string[];
  beforeAll(async () => {
    const [booking, mandate] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const { id } = await buy(ana, booking, mandate);
    const items = [`/bookings/${booking.id}`, `/mandates/${mandate.id}`, `/orders/${id}`, `/orders/${id}/receipt`];
    paths = [...items, '/bookings', '/mandates', '/orders?status=paid'];
  });
  const readIf = (path: string, tag: string | null, by = ana) =>
    by.call('GET', path, undefined, { ...(tag !== null && { 'if-none-match': tag }) });

  it('is kept by its own client alone, which asks at every use and is not sent again what it has', async () => {
    for (const path of paths) {
      const { headers, body } = await readIf(path, null);
      const tag = headers.get('etag');
      expect([path, tag]).toEqual([path, expect.stringMatching(/^W\/"[\w-]{27}"$/)]);
      letPass(service, 1_000); // a mandate has a second less, and is the same mandate
      const again = await readIf(path, tag);
      expect([path, again.status, again.body, again.headers.get('etag')]).toEqual([path, 304, null, tag]);
      for (const one of [headers, again.headers]) {
        expect(one.get('cache-control')).toBe('private, no-cache');
        expect(one.get('vary')).toBe('Authorization, Prefer');
      }
      expect(await readIf(path, '"another"')).toMatchObject({ status: 200, body: expect.any(Object) });
      const { status, headers: ofHead } = await ana.call('HEAD', path);
      expect([status, ofHead.get('etag'), body]).toEqual([200, tag, expect.any(Object)]);
    }
  });

  it('is another once it changed', async () => {
    const { id } = await book(ana);
    const tag = (await readIf(`/bookings/${id}`, null)).headers.get('etag');
    bodyOf(await ana.call('PATCH', `/bookings/${id}`, { passengers: 2 }), 200);
    expect(await readIf(`/bookings/${id}`, tag)).toMatchObject({ status: 200, body: { passengers: 2 } });
    const mandate = await grant(ana, TRIP_PRICE, { durationMinutes: 1 });
    const valid = (await readIf(`/mandates/${mandate.id}`, null)).headers.get('etag');
    letPass(service, 60_000);
    expect(await readIf(`/mandates/${mandate.id}`, valid)).toMatchObject({ status: 200, body: { status: 'expired' } });
  });

  it('is nobody else’s, whatever tag they name', async () => {
    const [booking = ''] = paths;
    const tag = (await readIf(booking, null)).headers.get('etag');
    const bruno = await agentAt(service.origin, { traveller: BRUNO });
    expect(await readIf(booking, tag, bruno)).toMatchObject({ status: 404 });
    const noToken = apiAt(service.origin);
    expect(await readIf(booking, '*', noToken)).toMatchObject({ status: 401 });
  });

  it('has no tag where the answer warns of its request', async () => {
    const { headers } = await readIf(`${paths[0] ?? ''}?limt=1`, '*');
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  });
});

describe('another origin', () => {
  it('may call the API from a browser, without credentials', async () => {
    const asked = { origin: 'https://agente.example', 'access-control-request-method': 'PATCH' };
    const preflight = await send('OPTIONS', '/api/v1/bookings/1', asked);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PATCH');
    const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'])
      expect(allowed).toContain(name);
  });

  it.each([
    '/api/v1/flights',
    '/api/v1/bookings',
    '/.well-known/oauth-authorization-server',
    '/oauth/jwks',
    '/oauth/par',
  ])('may read %s and its headers', async (path) => {
    const { headers } = await send('GET', path, { origin: 'https://agente.example' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    const exposed = headers.get('access-control-expose-headers') ?? '';
    for (const name of ['ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'])
      expect(exposed).toContain(name);
  });

  it.each(['/oauth/authorize', '/docs'])('may not read the page %s', async (path) =>
    expect((await send('GET', path)).headers.get('access-control-allow-origin')).toBeNull(),
  );
});

describe('a path or method that is not there', () => {
  it.each([
    ['GET', '/api/v1/nowhere', 404, 'route_not_found', null],
    ['GET', '/api/v1/flights/%zz', 404, 'route_not_found', null],
    ['GET', `/api/v1/flights/${'x'.repeat(300)}`, 404, 'route_not_found', null],
    ['GET', '/docs/%2e%2e/%2e%2e/package.json', 404, 'route_not_found', null],
    ['PUT', '/api/v1/flights', 405, 'method_not_allowed', 'GET, HEAD'],
    ['GET', '/oauth/token', 405, 'method_not_allowed', 'POST'],
  ])('%s %.40s is %i %s', async (method, path, status, error, allow) => {
    const answer = await send(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({
      error,
      message: expect.any(String),
      doc_url: expect.stringMatching(new RegExp(`/docs/erros/${error}$`)),
      requestId: answer.headers.get('x-request-id'),
    });
  });
});

describe('a body', () => {
  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'that is empty is none, whatever its type (%s): DELETE is 200',
    async (type) => {
      const { id } = await grant(ana, 100);
      const answer = await ana.call('DELETE', `/mandates/${id}`, undefined, { 'content-type': type });
      expect(answer).toMatchObject({ status: 200, body: { status: 'revoked' } });
    },
  );

  it('of exactly 64 KiB is read', async () => {
    const whole = 64 * 1024;
    const padded = `{"flightNumber":"AL1201","more":"${'x'.repeat(whole)}`.slice(0, whole - 2) + '"}';
    expect(await ana.post('/bookings', padded)).toMatchObject({ status: 201 });
    expect(await refusalOf(service, () => ana.post('/bookings', `${padded} `))).toEqual(
      refused(413, 'payload_too_large'),
    );
  });
});

describe('a query parameter given twice', () => {
  it.each([
    ['/flights?q=a&q=b', 'invalid_query'],
    ['/flights/AL1201/fares?budget=1&budget=1', 'invalid_budget'],
    ['/flights/AL1201/fares?budget=1&passengers=1&passengers=1', 'invalid_query'],
    ['/orders?status=paid&status=paid', 'invalid_query'],
  ])('(%s) answers %s', async (path, error) =>
    expect(await refusalOf(service, () => ana.get(path))).toEqual(refused(422, error)),
  );
});
