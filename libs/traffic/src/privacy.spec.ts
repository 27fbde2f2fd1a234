import fc from 'fast-check';
import { instantOf } from '#kernel';
import { addToFigures, type BucketFigures } from './agent-traffic.projection.js';
import { AgentHashes } from './capture/agent-hashes.js';
import { type Call, TrafficCounters } from './capture/traffic-counters.js';
import { type Bucket, startOf } from './figures/buckets.rule.js';
import { FAMILIES, OPERATIONS } from './figures/names.rule.js';
import { FiguresSum, LargeFamilies, publicCalls, type TrafficFilter } from './query/public-figures.js';
import { reportOf } from './query/traffic-report.js';

const BEGIN = Date.parse('2026-03-15T00:00:00.000Z');
/** All of two days, by their hours. */
const HOURS = 48;
const [PROCESSES, AGENTS] = [6, 18];

/** Agents by what they are known by inside, each of a family: what nobody may be told. */
const agent = fc.record({
  family: fc.constantFrom(...FAMILIES.slice(0, 2), 'other'),
  name: fc.uuid(),
  isCertain: fc.constantFrom(true, true, false),
});
const call = fc.record({
  agent: fc.nat(AGENTS - 1),
  process: fc.nat(PROCESSES - 1),
  hour: fc.nat(HOURS - 1),
  operation: fc.constantFrom(...OPERATIONS),
  status: fc.constantFrom(200, 201, 404, 422),
  milliseconds: fc.integer({ min: 1, max: 900 }),
});
const traffic = fc.record({
  agents: fc.array(agent, { minLength: AGENTS, maxLength: AGENTS }),
  calls: fc.array(call, { minLength: 1, maxLength: 150, size: 'max' }),
});
type Traffic = typeof traffic extends fc.Arbitrary<infer Value> ? Value : never;

/** The calls of some traffic, and the process that took each. */
const callsOf = ({ agents, calls }: Traffic): readonly (Call & { readonly process: number })[] =>
  calls.flatMap(({ agent: place, hour, ...rest }) => {
    const by = agents[place];
    if (!by) return [];
    const { family, name, isCertain } = by;
    const at = instantOf(BEGIN + hour * 3_600_000);
    return [{ ...rest, at, channel: 'rest' as const, error: null, family, agent: name, isCertain }];
  });

const writtenOf = (calls: ReturnType<typeof callsOf>) =>
  Array.from({ length: PROCESSES }).flatMap((_, process) => {
    const [counters, hashes] = [new TrafficCounters(), new AgentHashes(Buffer.alloc(32, 3))];
    for (const one of calls) if (one.process === process) counters.count(one);
    return counters.take((...who) => hashes.of(...who)) ?? [];
  });

const bucketsOf = (written: ReturnType<typeof writtenOf>, bucket: Bucket): readonly BucketFigures[] => {
  const buckets = new Map<string, BucketFigures>();
  for (const minute of written) {
    const start = startOf(bucket, minute.start);
    const empty: BucketFigures = { kind: `${bucket} figures`, start, calls: {}, agents: {} };
    buckets.set(start, addToFigures(buckets.get(start) ?? empty, minute));
  }
  return [...buckets.values()];
};

/** What is told of the hours from one to before another, of what was written. */
const teller = (written: ReturnType<typeof writtenOf>) => {
  const [hours, large] = [bucketsOf(written, 'hour'), new LargeFamilies()];
  for (const day of bucketsOf(written, 'day')) large.add(day);
  return (filter: TrafficFilter = {}, from = 0, to = HOURS) => {
    const [first, end] = [from, to].map((hour) => instantOf(BEGIN + hour * 3_600_000));
    const within = hours.filter(({ start }) => start >= (first ?? '') && start < (end ?? ''));
    const sum = new FiguresSum(large);
    for (const one of within) sum.add(one);
    return reportOf(sum.published(), [], filter);
  };
};

const agentsOf = (calls: readonly Call[], family: string, day = ''): number =>
  new Set(calls.filter((one) => one.family === family && one.at.startsWith(day)).map((one) => one.agent)).size;

describe('what the public is told of traffic', () => {
  it('never holds what an agent is known by, written down or told', () => {
    fc.assert(
      fc.property(traffic, (given) => {
        const written = writtenOf(callsOf(given));
        const [kept, told] = [JSON.stringify([written, bucketsOf(written, 'day')]), JSON.stringify(teller(written)())];
        for (const { name } of given.agents) expect([kept.includes(name), told.includes(name)]).toEqual([false, false]);
        for (const { agents } of bucketsOf(written, 'day'))
          for (const hash of Object.values(agents).flat()) expect(told).not.toContain(hash);
      }),
    );
  });

  it('names no family of fewer than five agents, and yet leaves no call out', () => {
    fc.assert(
      fc.property(traffic, fc.nat(HOURS), fc.nat(HOURS), (given, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const [first, end] = [from, to].map((hour) => instantOf(BEGIN + hour * 3_600_000));
        const calls = callsOf(given).filter(({ at }) => at >= (first ?? '') && at < (end ?? ''));
        const { totals, byAgentFamily } = teller(writtenOf(callsOf(given)))({}, from, to);
        for (const { family } of byAgentFamily)
          if (family !== 'other') expect(agentsOf(calls, family)).toBeGreaterThanOrEqual(5);
        expect(totals.requests).toBe(calls.length);
        expect(byAgentFamily.reduce((sum, { calls: ofFamily }) => sum + ofFamily, 0)).toBe(calls.length);
      }),
    );
  });

  it('is the same of a family that may not be named as of one that never called, whatever is asked', () => {
    const nothing = teller([])();
    fc.assert(
      fc.property(traffic, fc.constantFrom(undefined, ...OPERATIONS), (given, operation) => {
        const calls = callsOf(given);
        const tell = teller(writtenOf(calls));
        for (const family of FAMILIES.filter((one) => one !== 'other' && agentsOf(calls, one) < 5)) {
          // Refusals by reason are of everybody, whatever is asked.
          const { mandates } = tell();
          expect(tell({ agent: family, operation })).toEqual({ ...nothing, mandates });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('does not differ, from window to window, by calls of a family with fewer than five agents that day', () => {
    fc.assert(
      fc.property(traffic, (given) => {
        const calls = callsOf(given);
        const tell = teller(writtenOf(calls));
        for (const family of FAMILIES.slice(0, 2)) {
          const told = (from: number, to: number) => tell({ agent: family }, from, to).totals.requests;
          for (let hour = 1; hour < HOURS - 1; hour += 1) {
            // The calls of one hour, had by subtraction: of what came until then, and of what came from then on.
            const [until, from] = [told(0, hour), told(hour + 1, HOURS)];
            const had = Math.max(until && told(0, hour + 1) - until, from && told(hour, HOURS) - from);
            const day = instantOf(BEGIN + hour * 3_600_000).slice(0, 10);
            if (had > 0) expect(agentsOf(calls, family, day)).toBeGreaterThanOrEqual(5);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('names a family of exactly five agents, and counts one of four as others, in each minute too', () => {
    const [large, small] = FAMILIES.filter((one) => one !== 'other');
    if (!large || !small) throw new Error('there are more families');
    const called = (family: string, count: number) =>
      Array.from({ length: count }, (_, place) => ({
        at: instantOf(BEGIN),
        milliseconds: 1,
        ...({ channel: 'rest', operation: 'get_flight', status: 200, error: null } as const),
        ...{ family, agent: `${family} ${place}`, isCertain: true, process: 0 },
      }));
    const written = writtenOf([...called(large, 5), ...called(small, 4)]);
    const told = teller(written)();
    expect(told.byAgentFamily.map(({ family, agents }) => [family, agents])).toEqual([
      [large, 5],
      ['other', 4],
    ]);
    // How many are too small is told, and not to whom asks for one of them.
    const smallTold = [undefined, 'other', small, large].map(
      (agent) => teller(written)({ agent }).familiesBelowMinimum,
    );
    expect(smallTold).toEqual([1, 1, 0, 0]);
    const families = new LargeFamilies();
    for (const day of bucketsOf(written, 'day')) families.add(day);
    const [minute] = bucketsOf(written, 'minute');
    const familiesOf = (name: string) =>
      (minute && publicCalls(minute, { agent: name }, families)?.map(({ family }) => family)) ?? null;
    expect([large, small, 'other'].map(familiesOf)).toEqual([[large], null, [small]]);
  });

  it('takes an address for one agent, by however many processes and on however many days it calls', () => {
    const one = { channel: 'rest', operation: 'get_flight', family: 'curl', status: 200, error: null } as const;
    const calls = Array.from({ length: HOURS }, (_, hour) => ({
      ...one,
      at: instantOf(BEGIN + hour * 3_600_000),
      milliseconds: 1,
      agent: '192.0.2.1',
      isCertain: false,
      process: hour % PROCESSES,
    }));
    expect(teller(writtenOf(calls))().byAgentFamily.map(({ family }) => family)).toEqual(['other']);
  });
});
