import { PROJECTIONS } from '#runtime';
import { ANA, apiAt, tokensFor } from '../support/agent.js';
import type { Order } from '../support/answers.js';
import { attributesOf, Collector, type SentSpan } from '../support/collector.js';
import { bodyOf, book, grant, TRIP_PRICE } from '../support/purchase.js';
import { startServiceInMemory } from '../support/service.js';

/** Categories of the streams that an order writes. */
const WRITTEN: ReadonlySet<string> = new Set(['booking', 'flight', 'order', 'mandate']);
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' } as const;
const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '11/31', cvc: '973' } as const;
const BUYER = { name: 'Joana Prado Secreta', document: '390.533.447-05' } as const;

/** Everything that a purchase sent to a collector, once the service has ended. */
const purchase = async (environment: Record<string, string> = {}) => {
  const collector = await Collector.open();
  const service = await startServiceInMemory({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...environment });
  const tokens = await tokensFor(service.origin);
  const ana = apiAt(service.origin, tokens.access_token);
  const { id: bookingId } = await book(ana);
  const { id: mandateId } = await grant(ana, TRIP_PRICE);
  const travellers = [{ givenName: BUYER.name, familyName: BUYER.name }];
  const body = { bookingId, mandateId, payment: CARD, buyer: BUYER, travellers };
  const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
  const answer = await ana.call<Order>('POST', '/orders?segredo=na-busca', body, { traceparent });
  const order = bodyOf(answer, 201);
  const events = [];
  for await (const event of service.dependencies.events.readAll(null))
    if (event.metadata.actor.holder !== null) events.push(event);
  const head = await service.dependencies.events.head();
  if (head) await service.dependencies.readModels.caughtUp(head.position);
  await service.stop();
  await collector.close();
  return { collector, order, tokens, events, requestId: answer.headers.get('x-request-id') ?? '' };
};

const named = (spans: readonly SentSpan[], name: string): SentSpan => {
  const [span, ...more] = spans.filter((one) => one.name === name);
  if (!span || more.length > 0) throw new Error(`${more.length + (span ? 1 : 0)} spans are called ${name}`);
  return span;
};

describe('a purchase that is traced', () => {
  let bought: Awaited<ReturnType<typeof purchase>>;
  let trace: readonly SentSpan[];
  beforeAll(async () => {
    bought = await purchase({
      OTEL_SERVICE_NAME: 'voos',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=teste',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=voos',
    });
    const traceId = bought.requestId.replaceAll('-', '');
    trace = bought.collector.spans.filter((span) => span.traceId === traceId);
  });

  it('is one trace, from the request through the command and its appends to the read models', () => {
    const request = named(trace, 'POST /api/v1/orders');
    expect(request.parentSpanId).toBeUndefined();
    expect(attributesOf(request.attributes)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/orders',
      'http.response.status_code': 201,
      'url.scheme': 'http',
    });
    const command = named(trace, 'command PlaceOrder');
    expect(command.parentSpanId).toBe(request.spanId);
    expect(attributesOf(command.attributes)).toEqual({ 'alcada.command': 'PlaceOrder', 'alcada.outcome': 'ok' });

    const work = trace.filter(({ parentSpanId }) => parentSpanId === command.spanId);
    const names = work.map(({ name }) => name);
    // What goes side by side stands in any order.
    expect([[names[0]], names.slice(1, 5).sort(), [names[5]], names.slice(6, 8).sort(), names.slice(8)]).toEqual([
      ['append booking'],
      ['append flight', 'append mandate', 'append order', 'append ticket'],
      ['payment charge'],
      ['append mandate', 'append order'],
      ['append booking'],
    ]);
    expect(attributesOf(named(work, 'append flight').attributes)).toEqual({
      'alcada.stream.category': 'flight',
      'alcada.append.events': 2,
      'alcada.append.conflicts': 0,
      'alcada.append.retries': 0,
      'alcada.outcome': 'appended',
    });
    expect(attributesOf(named(work, 'payment charge').attributes)).toEqual({ 'alcada.outcome': 'captured' });

    const folded = trace.filter(({ name }) => name.startsWith('project '));
    expect(folded.length).toBeGreaterThan(0);
    for (const { parentSpanId, links } of folded) {
      expect(parentSpanId).toBe(request.spanId);
      expect(links).toMatchObject([{ traceId: request.traceId, spanId: request.spanId }]);
    }
  });

  it('is linked to by every projection that folded its events, also together with those of others', () => {
    const request = named(trace, 'POST /api/v1/orders');
    const folded = bought.collector.spans.filter(
      ({ name, links }) => name.startsWith('project ') && links.some(({ spanId }) => spanId === request.spanId),
    );
    expect([...new Set(folded.map(({ name }) => name))].sort()).toEqual(
      PROJECTIONS.filter(({ from }) => from.some(({ category }) => WRITTEN.has(category)))
        .map(({ name }) => `project ${name}`)
        .sort(),
    );
  });

  it('has the ids that its events have', () => {
    const request = named(trace, 'POST /api/v1/orders');
    const written = bought.events.filter(({ metadata }) => metadata.$causationId === request.spanId);
    expect(written.length).toBeGreaterThanOrEqual(7);
    for (const { metadata } of written) expect(metadata.$correlationId).toBe(bought.requestId);
  });

  it('is linked to the trace of its caller, who decides neither its ids nor that it is recorded', () => {
    const request = named(trace, 'POST /api/v1/orders');
    expect(request.links).toMatchObject([CALLER]);
    expect(bought.collector.spans.filter(({ traceId }) => traceId === CALLER.traceId)).toEqual([]);
  });

  it('is sent as the standard variables say', () => {
    expect(bought.collector.resource).toMatchObject({
      'service.name': 'voos',
      'deployment.environment.name': 'teste',
    });
    expect(bought.collector.received).toMatch(/^POST \/v1\/traces\n.*"x-team":"voos"/);
  });

  it('tells nothing of cards, tokens, passwords and people', () => {
    const { collector, tokens, order, events } = bought;
    const holder = events.find(({ type }) => type === 'OrderPlaced')?.metadata.actor.holder ?? '';
    const secrets = [
      '4242',
      CARD.expiry,
      CARD.cvc,
      tokens.access_token,
      tokens.access_token.split('.')[1] ?? '',
      tokens.refresh_token,
      ANA.email,
      ANA.password,
      BUYER.name,
      BUYER.document,
      'na-busca',
      '127.0.0.1',
      holder,
      order.id,
      order.ticketCode ?? '',
      order.locator ?? '',
    ];
    // The spans' own ids and times are random digits, which may hold any three.
    const told = JSON.stringify(collector.spans.map(({ name, attributes, status }) => ({ name, attributes, status })));
    expect(holder).toHaveLength(36);
    for (const secret of secrets) {
      expect(secret).not.toBe('');
      expect(told).not.toContain(secret);
      if (secret.length > 5) expect(collector.received.replaceAll(/"host":"[^"]*"/g, '')).not.toContain(secret);
    }
  });
});

describe('a caller that wants to be recorded', () => {
  it('is not, where traces are not sampled', async () => {
    const { collector, events } = await purchase({ OTEL_TRACES_SAMPLER: 'always_off' });
    expect(collector.received).toBe('');
    for (const { metadata } of events) expect(metadata.$causationId).toMatch(/^[0-9a-f]{16}$/);
  });
});
