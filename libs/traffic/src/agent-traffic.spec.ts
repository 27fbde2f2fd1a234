import { openForAll } from '#testing';
import type { Call } from './capture/traffic-counters.js';
import type { AgentTraffic } from './query/agent-traffic.reader.js';
import { lastSecondOf, openAnalysis } from './testing/analysis.js';
import { callsOf } from './testing/calls.js';

const [FROM, NOW] = ['2026-03-15T11:50:00.000Z', '2026-03-15T12:30:00.000Z'];
const WINDOW = { from: '2026-03-15T11:00:00.000Z', to: NOW, bucket: 'minute' } as const;
const COUNT = 100_000;
/** A hundred thousand calls in ten minutes. */
const CALLS = callsOf(20_260_315, COUNT, FROM, 10 * 60_000);

/** A fifth of them, for what does not depend on how many there are. */
const SOME = CALLS.slice(0, COUNT / 5);

const countBy = (calls: readonly Call[], nameOf: (call: Call) => string | null): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const call of calls) {
    const name = nameOf(call);
    if (name !== null) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
const listed = (items: readonly object[], name: string, count = 'calls'): Record<string, number> =>
  Object.fromEntries(items.map((item) => [String(valueOf(item, name)), Number(valueOf(item, count))]));
const valueOf = (item: object, name: string): unknown => Object.entries(item).find(([key]) => key === name)?.[1];

/** The latency that a share of the calls did not exceed, by nearest rank. */
const exactQuantile = (calls: readonly Call[], share: number): number =>
  calls.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)[
    Math.ceil(share * calls.length) - 1
  ] ?? NaN;

/** Families of five agents and more by their names. */
const toldFamily = ({ family }: Call): string => (['cohere', 'postman'].includes(family) ? 'other' : family);
const agentsOf = (calls: readonly Call[]): number => new Set(calls.map(({ agent }) => agent)).size;

const expectCountsOf = (view: AgentTraffic, calls: readonly Call[]): void => {
  const errors = calls.filter(({ status }) => status >= 400).length;
  expect(view.totals).toMatchObject({ requests: calls.length, errors, agents: agentsOf(calls) });
  const { refused, limited, failed, abandoned } = view.totals;
  const statuses = countBy(calls, ({ status }) => (status < 400 ? null : String(status)));
  const of = (...some: readonly number[]) => some.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  expect([refused, limited, failed, abandoned]).toEqual([of(404, 422), of(429), of(503), of(499)]);
  for (const ending of ['errors', 'refused', 'limited', 'failed', 'abandoned'] as const) {
    const sums = [view.byOperation, view.byChannel, view.byAgentFamily, view.series].map((list) =>
      list.reduce((sum, one) => sum + one[ending], 0),
    );
    expect([ending, ...sums]).toEqual([ending, ...sums.map(() => view.totals[ending])]);
  }
  expect(listed(view.byChannel, 'channel')).toEqual(countBy(calls, ({ channel }) => channel));
  expect(listed(view.byOperation, 'operation')).toEqual(countBy(calls, ({ operation }) => operation));
  expect(listed(view.byStatus, 'status')).toEqual(countBy(calls, ({ status }) => String(status)));
  expect(listed(view.byErrorCode, 'error')).toEqual(countBy(calls, ({ error }) => error));
  expect(listed(view.byAgentFamily, 'family')).toEqual(countBy(calls, toldFamily));
  for (const { family, agents } of view.byAgentFamily)
    expect([family, agents]).toEqual([family, agentsOf(calls.filter((call) => toldFamily(call) === family))]);
  expect(view.familiesBelowMinimum).toBe(2);
  const minutes = countBy(calls, ({ at }) => `${at.slice(0, 16)}:00.000Z`);
  const told = view.series.filter(({ requests }) => requests > 0);
  expect(listed(told, 'start', 'requests')).toEqual(minutes);
};

const within2Percent = (found: number | null, exact: number): void => {
  expect(Math.abs((found ?? NaN) - exact) / exact).toBeLessThanOrEqual(0.02);
};

describe('the figures of a hundred thousand calls', () => {
  const analysis = openForAll(() => openAnalysis(NOW));
  let view: AgentTraffic;
  beforeAll(async () => {
    await analysis.record(CALLS);
    const model = await analysis.build();
    view = await model.read(WINDOW);
    await model.close();
  }, 120_000);

  it('are exact where they are counts', () => {
    expectCountsOf(view, CALLS);
  });

  it('are within two per cent where they are percentiles, of the whole window and of each minute', () => {
    for (const { operation, p50Ms, p95Ms, p99Ms } of view.byOperation) {
      const calls = CALLS.filter((call) => call.operation === operation);
      within2Percent(p50Ms, exactQuantile(calls, 0.5));
      within2Percent(p95Ms, exactQuantile(calls, 0.95));
      within2Percent(p99Ms, exactQuantile(calls, 0.99));
    }
    for (const { start, p99Ms } of view.series.filter(({ requests }) => requests > 0)) {
      const calls = CALLS.filter(({ at }) => at.startsWith(start.slice(0, 16)));
      within2Percent(p99Ms, exactQuantile(calls, 0.99));
    }
  });

  it('tell the funnel by the calls that succeeded, and charges by why they were refused', () => {
    const succeeded = countBy(CALLS, ({ operation, status }) => (status < 400 ? operation : null));
    expect(view.funnel).toEqual({
      search: (succeeded['search_flights'] ?? 0) + (succeeded['get_flight'] ?? 0),
      quote: succeeded['quote_fares'],
      booking: succeeded['create_booking'],
      mandate: succeeded['create_mandate'],
      order: (succeeded['place_order'] ?? 0) + (succeeded['complete_checkout'] ?? 0),
      receipt: succeeded['get_receipt'],
    });
    const refused = CALLS.filter(({ error }) => error === 'mandate_limit_exceeded').length;
    expect(view.mandates.chargesRefusedByReason).toEqual({ mandate_limit_exceeded: refused });
  });

  it('are the same by minutes, hours and days, and with a filter those of the calls it means', async () => {
    const model = await analysis.build();
    const day = { from: '2026-03-15T00:00:00.000Z', to: '2026-03-16T00:00:00.000Z' };
    for (const bucket of ['hour', 'day'] as const) {
      const { totals, byOperation, byAgentFamily } = await model.read({ ...day, bucket });
      expect({ totals, byOperation, byAgentFamily }).toEqual({
        totals: view.totals,
        byOperation: view.byOperation,
        byAgentFamily: view.byAgentFamily,
      });
    }
    const meant = CALLS.filter(({ operation, family }) => operation === 'get_flight' && family === 'python');
    const filtered = await model.read(WINDOW, { operation: 'get_flight', agent: 'python' });
    expect(filtered.totals.requests).toBe(meant.length);
    within2Percent(filtered.byOperation[0]?.p95Ms ?? null, exactQuantile(meant, 0.95));
    await model.close();
  }, 60_000);

  it('are the same after a rebuild', async () => {
    const model = await analysis.build();
    expect(await model.read(WINDOW)).toEqual(view);
    await model.close();
  }, 60_000);

  it('are the same split over three processes', async () => {
    const [whole, split] = [await openAnalysis(NOW), await openAnalysis(NOW)];
    await whole.record(SOME);
    await Promise.all([0, 1, 2].map((third) => split.record(SOME.filter((_, place) => place % 3 === third))));
    const [ofOne, ofThree] = [await whole.build(), await split.build()];
    const expected = await ofOne.read(WINDOW);
    expect(expected.totals.requests).toBe(SOME.length);
    expect(await ofThree.read(WINDOW)).toEqual(expected);
    for (const one of [ofOne, ofThree, whole, split]) await one.close();
  }, 120_000);

  it('miss at most the last second after a process was killed, and nothing of the one started after it', async () => {
    const other = await openAnalysis(NOW);
    const [first, second] = [SOME.slice(0, SOME.length / 2), SOME.slice(SOME.length / 2)];
    const unflushed = lastSecondOf(first);
    const model = await other.build();
    await other.record(first, unflushed);
    await other.record(second);
    const { totals } = await model.read(WINDOW);
    const missing = SOME.length - totals.requests;
    expect(missing).toBeGreaterThan(0);
    // The second before was flushed when the first call of the last one came.
    expect(missing).toBeLessThanOrEqual(2 * unflushed);
    await model.close();
    await other.close();
  }, 120_000);
});
