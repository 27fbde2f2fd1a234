import { latencyBucket } from '../figures/latency.rule.js';
import { BOUNDS, type Call, TrafficCounters } from './traffic-counters.js';

const CALL: Call = {
  at: '2026-01-15T12:00:30.000Z',
  channel: 'rest',
  operation: 'get_flight',
  family: 'curl',
  status: 200,
  error: null,
  milliseconds: 3,
  agent: 'one',
  isCertain: true,
};
const hashOf = (agent: string, isCertain: boolean): string => `#${isCertain ? 'client' : 'address'} ${agent}`;

describe('the counters of traffic', () => {
  it('tell nothing while nothing was counted', () => {
    expect(new TrafficCounters().take(hashOf)).toBeNull();
  });

  it('tell what was counted once, and then begin anew', () => {
    const counters = new TrafficCounters();
    counters.count(CALL);
    counters.count({ ...CALL, agent: 'two', isCertain: false });
    counters.count({ ...CALL, channel: 'mcp', status: 404, error: 'flight_not_found' });
    counters.count({ ...CALL, at: '2026-01-15T12:01:00.000Z', operation: 'place_order', family: 'python' });
    const bucket = latencyBucket(3);
    expect(counters.take(hashOf)).toEqual([
      {
        start: '2026-01-15T12:00:00.000Z',
        calls: [
          {
            family: 'curl',
            operation: 'get_flight',
            outcomes: [
              { channel: 'rest', status: 200, error: null, count: 2 },
              { channel: 'mcp', status: 404, error: 'flight_not_found', count: 1 },
            ],
            latencies: [bucket, 3],
          },
        ],
        agents: [{ family: 'curl', hashes: ['#client one', '#address two curl'], steps: [1, 1] }],
      },
      {
        start: '2026-01-15T12:01:00.000Z',
        calls: [
          {
            family: 'python',
            operation: 'place_order',
            outcomes: [{ channel: 'rest', status: 200, error: null, count: 1 }],
            latencies: [bucket, 1],
          },
        ],
        agents: [{ family: 'python', hashes: ['#client one'], steps: [16] }],
      },
    ]);
    expect(counters.take(hashOf)).toBeNull();
  });

  it('tell which steps of the funnel each agent took, by calls that succeeded', () => {
    const counters = new TrafficCounters();
    for (const operation of ['search_flights', 'list_orders', 'place_order', 'search_flights'])
      counters.count({ ...CALL, operation });
    counters.count({ ...CALL, operation: 'create_booking', status: 422, error: 'invalid_flight' });
    counters.count({ ...CALL, operation: 'list_orders', agent: 'two' });
    expect(counters.take(hashOf)?.[0]?.agents).toEqual([
      { family: 'curl', hashes: ['#client one', '#client two'], steps: [1 + 16, 0] },
    ]);
  });

  it('tell what signatures came to, and nothing of them where there was none', () => {
    const counters = new TrafficCounters();
    for (const signature of ['verified', 'wrong', 'verified'] as const) counters.count({ ...CALL, signature });
    counters.count({ ...CALL, at: '2026-01-15T12:01:00.000Z' });
    const taken = counters.take(hashOf) ?? [];
    expect(taken.map((minute) => minute.signatures)).toEqual([{ verified: 2, wrong: 1 }, undefined]);
    expect(taken[1]).not.toHaveProperty('signatures');
  });

  it('count all calls but tell no more things apart than their bounds, whatever callers invent', () => {
    const counters = new TrafficCounters();
    const calls = 10_000;
    for (let call = 0; call < calls; call += 1)
      counters.count({ ...CALL, operation: `invented ${call}`, agent: String(call) });
    const [minute, ...more] = counters.take(hashOf) ?? [];
    const outcomes = minute?.calls.flatMap((one) => one.outcomes) ?? [];
    expect(more).toEqual([]);
    expect(outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(calls);
    expect(minute?.calls).toHaveLength(BOUNDS.pairs + 1);
    expect(minute?.calls.find(({ family }) => family === 'other')?.outcomes).toEqual([
      { channel: 'rest', status: 200, error: null, count: calls - BOUNDS.pairs },
    ]);
    expect(minute?.agents.flatMap(({ hashes }) => hashes)).toHaveLength(BOUNDS.agents);
  });

  it('tell no more ends of calls apart than their bound', () => {
    const counters = new TrafficCounters();
    const calls = 3 * BOUNDS.minuteKeys;
    for (let call = 0; call < calls; call += 1)
      counters.count({ ...CALL, operation: `one of ${call % 10}`, status: 100 + Math.floor(call / 10) });
    const outcomes = (counters.take(hashOf) ?? []).flatMap((minute) => minute.calls.flatMap((one) => one.outcomes));
    expect(outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(calls);
    // Those beyond the bound are told apart by their status alone, of which HTTP has few.
    expect(outcomes.length).toBeLessThanOrEqual(BOUNDS.minuteKeys + calls / 10);
  });

  it('keep no more minutes than their bound while nobody takes them', () => {
    const counters = new TrafficCounters();
    const minutes = BOUNDS.minutes + 100;
    for (let minute = 0; minute < minutes; minute += 1) {
      const at = new Date(Date.UTC(2026, 0, 15, 0, minute)).toISOString();
      counters.count({ ...CALL, at });
    }
    const taken = counters.take(hashOf) ?? [];
    expect(taken).toHaveLength(BOUNDS.minutes);
    const counts = taken.map(({ calls }) => calls[0]?.outcomes[0]?.count ?? 0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(minutes);
  });
});
