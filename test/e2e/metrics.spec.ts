import { loadCheckpoint } from '#read-models';
import { PROJECTIONS } from '#runtime';
import { until } from '#testing';
import { type Sample, samplesOf, sumOf } from '../support/metrics.js';
import { bodyOf, book, buy, DECLINED_CARD, grant, order, TRIP_PRICE } from '../support/purchase.js';
import { SmallSetting } from '../support/setting.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it looks at one process that does everything');

const setting = new SmallSetting({ METRICS_PORT: '0' });
let origin: string;
beforeAll(() => {
  origin = `http://127.0.0.1:${setting.service.dependencies.telemetry?.metricsPort ?? 0}`;
});

const scraped = async (): Promise<readonly Sample[]> => samplesOf(await (await fetch(`${origin}/metrics`)).text());

const seriesOf = ({ name, labels }: Sample): string => `${name} ${JSON.stringify(labels)}`;

describe('the metrics of a process', () => {
  it('count requests by route pattern, commands by outcome, appends by category and payments', async () => {
    const { ana } = setting;
    const booking = await book(ana);
    const mandate = await grant(ana, TRIP_PRICE);
    bodyOf(await order(ana, booking, mandate, DECLINED_CARD), 402);
    await buy(ana, booking, mandate);
    const samples = await scraped();
    const count = (name: string, labels: Record<string, string>) => sumOf(samples, `${name}_count`, labels);
    const orders = { method: 'POST', route: '/api/v1/orders' };
    expect(count('alcada_http_request_duration_seconds', { ...orders, status_class: '2xx' })).toBe(1);
    expect(count('alcada_http_request_duration_seconds', { ...orders, status_class: '4xx' })).toBe(1);
    expect(count('alcada_command_duration_seconds', { command: 'PlaceOrder', outcome: 'ok' })).toBe(1);
    expect(count('alcada_command_duration_seconds', { command: 'PlaceOrder', outcome: 'payment_declined' })).toBe(1);
    // OrderPlaced twice, OrderFailed once, OrderPaid once.
    expect(count('alcada_append_duration_seconds', { category: 'order', outcome: 'appended' })).toBe(4);
    expect(count('alcada_payment_duration_seconds', { operation: 'charge', outcome: 'captured' })).toBe(1);
    expect(count('alcada_payment_duration_seconds', { operation: 'charge', outcome: 'refused' })).toBe(1);
    expect(sumOf(samples, 'alcada_append_retries_total')).toBe(0);
  });

  it('tell how far each projection is behind, and the outbox', async () => {
    const { events, readModels, readModelStore } = setting.service.dependencies;
    const outboxAt = async () => (await loadCheckpoint(readModelStore, 'outbox'))?.position ?? '';
    // Traffic is written once a second, also between the two looks: then they are taken again.
    const looked = async () => {
      const head = await events.head();
      await readModels.caughtUp(head?.position ?? '');
      await until(async () => (await outboxAt()) >= (head?.position ?? ''));
      const samples = await scraped();
      return { samples, isQuiet: (await events.head())?.position === head?.position };
    };
    let { samples, isQuiet } = await looked();
    while (!isQuiet) ({ samples, isQuiet } = await looked());
    for (const name of ['alcada_projection_lag_positions', 'alcada_projection_lag_seconds']) {
      const told = samples.filter((sample) => sample.name === name);
      expect(told.map(({ labels }) => labels['projection'])).toEqual([...PROJECTIONS.map((one) => one.name), 'outbox']);
      expect(told.map(({ value }) => value)).toEqual(told.map(() => 0));
    }
    expect(sumOf(samples, 'alcada_projection_events_total', { projection: 'orders' })).toBeGreaterThan(0);
  });

  it('have the loop, the process and a live recovery worker among them', async () => {
    const samples = await scraped();
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      expect(samples.filter((sample) => sample.name === name)).toHaveLength(1);
    expect(sumOf(samples, 'alcada_recovery_last_round_timestamp_seconds')).toBeGreaterThan(1_700_000_000);
  });

  it('grow no series by what callers send', async () => {
    const ask = async (round: string) => {
      for (const method of ['GET', 'PURGE', 'PROPFIND'])
        await fetch(`${setting.origin}/${round}/${method}?${round}`, { method, headers: { 'user-agent': round } });
      await setting.anyone.get(`/flights/${round}`);
      await setting.anyone.get(`/flights/%zz${round}`);
      await setting.ana.get(`/orders/${round}`);
      await setting.ana.post('/mandates', { limit: { amount: 1, currency: round } });
    };
    /** What is told of the calls themselves: they are written down once a second, and projected. */
    const traffic = async () => {
      const { traffic: calls, dependencies } = setting.service;
      await calls?.flush();
      const head = await dependencies.events.head();
      await dependencies.readModels.caughtUp(head?.position ?? '');
    };
    await ask('x');
    await traffic();
    const before = await scraped();
    for (let round = 0; round < 20; round += 1) await ask(`y${round}`);
    await traffic();
    const after = await scraped();
    // Those of a projection and of garbage collection begin with the first of each kind; no caller names any.
    const known = new Set(before.map(seriesOf));
    const others = after.map(seriesOf).filter((series) => !/^(?:alcada_projection_|nodejs_gc_)/.test(series));
    expect(others.filter((series) => !known.has(series))).toEqual([]);
    for (const series of after.map(seriesOf)) expect(series).not.toMatch(/"y\d+"/);
    const unknown = { route: 'unmatched', status_class: '4xx' };
    const name = 'alcada_http_request_duration_seconds_count';
    expect(
      sumOf(after, name, { ...unknown, method: '_OTHER' }) - sumOf(before, name, { ...unknown, method: '_OTHER' }),
    ).toBe(40);
  });

  it('are in Prometheus’ form: a help text for each, a unit in each name, and nothing of a caller', async () => {
    const answer = await fetch(`${origin}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    const names = [...text.matchAll(/^# TYPE (alcada_\w+) (\w+)$/gm)];
    expect(names.length).toBeGreaterThanOrEqual(11);
    for (const [, name = '', type] of names) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} \\S.*\\.$`, 'm'));
      expect(name).toMatch(type === 'counter' ? /_total$/ : /_(seconds|positions|entries)$/);
    }
    // Labels and help texts: a value is a measured number, which may hold any four digits.
    const said = text.replaceAll(/^([^#].*) \S+$/gm, '$1');
    expect(said).not.toMatch(/ana@|4242|127\.0\.0\.1|[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it('are nowhere else', async () => {
    expect((await fetch(`${setting.origin}/metrics`)).status).toBe(404);
    for (const path of ['/', '/metrics/', '/api/v1/health', '/metrics?x=1'])
      expect((await fetch(origin + path)).status).toBe(404);
    expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});
