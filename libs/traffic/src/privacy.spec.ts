import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Call } from './capture/traffic-counters.js';
import { TrafficCounters } from './capture/traffic-counters.js';
import { AgentHashes } from './capture/agent-hashes.js';
import { FAMILIES } from './figures/families.rule.js';
import { figuresWith } from './figures/figures.evolve.js';
import type { BucketFigures } from './figures/figures.state.js';
import { OPERATIONS } from './figures/operations.rule.js';
import { reportOf } from './query/traffic-report.js';

const AT = '2026-03-15T12:00:00.000Z';
const EMPTY: BucketFigures = { kind: 'hour figures', start: AT, calls: {}, agents: {} };

/** Agents by what they are known by inside, each of a family: what nobody may be told. */
const agent = fc.record({
  family: fc.constantFrom(...FAMILIES.slice(0, 6), 'other'),
  name: fc.uuid(),
  hasToken: fc.boolean(),
});
const call = fc.record({
  agent: fc.nat(19),
  operation: fc.constantFrom(...OPERATIONS),
  status: fc.constantFrom(200, 201, 404, 422),
  milliseconds: fc.integer({ min: 1, max: 900 }),
});
const traffic = fc.record({
  agents: fc.array(agent, { minLength: 1, maxLength: 20 }),
  calls: fc.array(call, { minLength: 1, maxLength: 120 }),
});
type Traffic = typeof traffic extends fc.Arbitrary<infer Value> ? Value : never;

/** What is written down of some traffic, and the figures it comes to. */
const figuresOf = ({ agents, calls }: Traffic) => {
  const counters = new TrafficCounters();
  const hashes = new AgentHashes(Buffer.alloc(32, 3));
  const made: Call[] = [];
  for (const one of calls) {
    const by = agents[one.agent % agents.length];
    if (!by) continue;
    made.push({
      at: AT,
      channel: 'rest',
      ...one,
      error: null,
      family: by.family,
      agent: by.name,
      hasToken: by.hasToken,
    });
  }
  for (const one of made) counters.count(one);
  const minutes = counters.take((...agent) => hashes.of(...agent)) ?? [];
  return { made, minutes, figures: minutes.reduce(figuresWith, EMPTY) };
};

const agentsOf = (calls: readonly Call[], family: string): number =>
  new Set(calls.filter((one) => one.family === family).map((one) => one.agent)).size;

describe('what the public is told of traffic', () => {
  it('never holds what an agent is known by, written down or told', () => {
    fc.assert(
      fc.property(traffic, (given) => {
        const { minutes, figures } = figuresOf(given);
        const written = JSON.stringify([minutes, figures]);
        const told = JSON.stringify(reportOf([figures], [], {}));
        for (const { name } of given.agents)
          expect([written.includes(name), told.includes(name)]).toEqual([false, false]);
        for (const hash of Object.values(figures.agents).flat()) expect(told).not.toContain(hash);
      }),
    );
  });

  it('names no family of fewer than five agents, and yet leaves no call out', () => {
    fc.assert(
      fc.property(traffic, (given) => {
        const { made, figures } = figuresOf(given);
        const { totals, byAgentFamily } = reportOf([figures], [], {});
        for (const { family, agents } of byAgentFamily) {
          if (family === 'other') continue;
          expect(agents).toBe(agentsOf(made, family));
          expect(agents).toBeGreaterThanOrEqual(5);
        }
        expect(totals.requests).toBe(made.length);
        expect(byAgentFamily.reduce((sum, { calls }) => sum + calls, 0)).toBe(made.length);
      }),
    );
  });

  it('is the same of a family with fewer than five agents as of one that never called, whatever is asked', () => {
    const nothing = reportOf([EMPTY], [], {});
    fc.assert(
      fc.property(traffic, fc.constantFrom(undefined, ...OPERATIONS), (given, operation) => {
        const { made, figures } = figuresOf(given);
        for (const family of FAMILIES.filter((one) => one !== 'other' && agentsOf(made, one) < 5)) {
          // Refusals by reason are of everybody, whatever is asked.
          const { mandates } = reportOf([figures], [], {});
          expect(reportOf([figures], [], { agent: family, operation })).toEqual({ ...nothing, mandates });
        }
      }),
    );
  });
});
