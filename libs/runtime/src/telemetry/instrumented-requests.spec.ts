import { once } from 'node:events';
import { connect } from 'node:net';
import { baseUrlsAt, createHttpAdapter } from '#http';
import { pino } from 'pino';
import { observed } from './testing/observed.js';
import { instrumentedRequests } from './instrumented-requests.js';

const addresses = { urls: baseUrlsAt('https://voos.example'), followLoopback: true };
const PARENT = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

/** A watched server with one route that answers, and one that waits until its caller is gone. */
const open = async (share = 1) => {
  const told = observed(share);
  const instrumentation = instrumentedRequests(told.instruments);
  const server = createHttpAdapter({ addresses, logger: pino({ level: 'silent' }), instrumentation }).getInstance();
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  server.get('/slow/:id', async (_request, reply) => {
    reply.raw.once('close', leave);
    arrive();
    await left;
  });
  server.get('/ids/:id', ({ cause }) => ({ ...cause, around: told.tracing.current?.spanContext().spanId }));
  server.get('/broken', () => Promise.reject(new Error('secret')));
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  return { ...told, origin, arrived, left, close: () => server.close() };
};

let service: Awaited<ReturnType<typeof open>>;
afterEach(() => service.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(service.origin + path, { headers: { connection: 'close', ...headers } });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
};

describe('an instrumented request', () => {
  it('is the span that its cause names, around all that it leads to', async () => {
    service = await open();
    const { body } = await get('/ids/42?token=x');
    const [span] = await service.spans();
    expect(span?.spanContext()).toMatchObject({
      traceId: String(body['correlationId']).replaceAll('-', ''),
      spanId: body['causationId'],
    });
    expect(body['around']).toBe(body['causationId']);
    expect(span?.name).toBe('GET /ids/:id');
    expect(await service.samples('alcada_http_request_duration_seconds')).toEqual([
      'alcada_http_request_duration_seconds_count{method="GET",route="/ids/:id",status_class="2xx"} 1',
    ]);
  });

  it('has its ids also where its trace is not recorded', async () => {
    service = await open(0);
    const { body } = await get('/ids/42', { traceparent: `00-${PARENT}-01` });
    expect(body['causationId']).toMatch(/^[0-9a-f]{16}$/);
    expect(body['around']).toBe(body['causationId']);
    expect(await service.spans()).toEqual([]);
  });

  it.each([
    [`00-${PARENT}-01`, 1],
    [`00-${PARENT}-00`, 1],
    [`01-${PARENT}-01`, 1],
    [`00-${PARENT}`, 0],
    [`00-${PARENT}-01-more`, 0],
    [`00-${PARENT.toUpperCase()}-01`, 0],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', 0],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', 0],
    ['', 0],
  ])('takes the traceparent "%s" for %i links', async (traceparent, links) => {
    service = await open();
    await get('/ids/42', { traceparent });
    const [span] = await service.spans();
    expect(span?.links).toHaveLength(links);
    expect(span?.parentSpanContext).toBeUndefined();
  });

  it('that its caller gives up is told as aborted', async () => {
    service = await open();
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    socket.write('GET /slow/42 HTTP/1.1\r\nhost: x\r\n\r\n');
    await service.arrived;
    socket.destroy();
    await once(socket, 'close');
    await service.left;
    expect((await service.spans()).map(({ attributes }) => attributes['error.type'])).toEqual(['aborted']);
    expect(await service.samples('alcada_http_request_duration_seconds')).toEqual([
      'alcada_http_request_duration_seconds_count{method="GET",route="/slow/:id",status_class="aborted"} 1',
    ]);
  });

  it.each([
    ['/nothing/there', 404],
    ['/%zz', 404],
  ])('to %s, which no route knows, is one operation with all others', async (path, status) => {
    service = await open();
    expect((await get(path)).status).toBe(status);
    expect((await service.spans()).map(({ name }) => name)).toEqual(['GET']);
    expect(await service.samples('alcada_http_request_duration_seconds')).toEqual([
      'alcada_http_request_duration_seconds_count{method="GET",route="unmatched",status_class="4xx"} 1',
    ]);
  });

  it('that fails says so, and not of what', async () => {
    service = await open();
    expect((await get('/broken')).status).toBe(500);
    const [span] = await service.spans();
    expect([span?.attributes['error.type'], span?.status, span?.events]).toEqual(['500', { code: 2 }, []]);
  });
});
