import type { BucketFacts, Fact } from '../agent-facts.projection.js';
import type { BucketFigures, BucketPoint, PairFigures } from '../agent-traffic.projection.js';
import { endingsOf } from '../figures/endings.rule.js';
import { addLatencies, latencyQuantiles, serializeLatencies } from '../figures/latency.rule.js';
import { bitOf, FUNNEL, type FunnelStep, funnelStepOf, OTHER } from '../figures/names.rule.js';
import { addSteps, type LargeFamilies, publicCalls, type PublicFigures, type TrafficFilter } from './public-figures.js';

interface Outcome {
  readonly family: string;
  readonly operation: string;
  readonly channel: string;
  readonly status: number;
  readonly error: string | null;
  readonly count: number;
}

export type TrafficReport = ReturnType<typeof reportOf>;
export type TrafficPoint = ReturnType<typeof pointOf>;

/** The error codes of charges that a mandate refused, or for which there was no mandate. */
const CHARGE_REFUSALS = /^(?:mandate_|currency_mismatch$|invalid_mandate$)/;

export const reportOf = (
  { calls: pairs, agents, signatures, smallFamilies, notFollowed }: PublicFigures,
  facts: readonly BucketFacts[],
  { operation, agent }: TrafficFilter,
) => {
  const stepsByAgent = new Map<string, number>();
  for (const [family, steps] of agents) if (agent === undefined || agent === family) addSteps(stepsByAgent, steps);
  const ofAgent = selectPairs(pairs, { agent });
  const selected = selectPairs(ofAgent, { operation });
  const outcomes = selected.flatMap(outcomesOf);
  const { calls: requests, errors, ...endings } = countsOf(outcomes);
  const failed = outcomes.filter(({ error }) => error !== null);
  const orders = pairs.filter(({ operation: of }) => funnelStepOf(of) === 'order').flatMap(outcomesOf);
  const refusedCharges = orders.filter(({ error }) => error !== null && CHARGE_REFUSALS.test(error));
  return {
    totals: {
      requests,
      errors,
      errorRate: requests === 0 ? 0 : Number((errors / requests).toPrecision(4)),
      ...endings,
      agents: stepsByAgent.size,
    },
    byChannel: byCalls(outcomes, ({ channel }) => channel).map(([channel, counts]) => ({ channel, ...counts })),
    byOperation: byCalls(outcomes, (outcome) => outcome.operation).map(([name, counts]) => ({
      operation: name,
      ...counts,
      ...percentilesOf(sumLatencies(selectPairs(selected, { operation: name }))),
    })),
    byStatus: [...groupBy(outcomes, ({ status }) => status)]
      .sort(([one], [other]) => one - other)
      .map(([status, group]) => ({ status, calls: countsOf(group).calls })),
    byErrorCode: callsByError(failed).map(([error, calls]) => ({ error, calls })),
    byAgentFamily: byCalls(outcomes, ({ family }) => family).map(([family, counts]) => ({
      family,
      ...counts,
      agents: agents.get(family)?.size ?? 0,
    })),
    // Nothing about a named family depends on whether others are large enough.
    familiesBelowMinimum: agent === undefined || agent === OTHER ? smallFamilies : 0,
    funnel: funnelOf(ofAgent.flatMap(outcomesOf)),
    agentFunnel: { steps: agentStepsOf([...stepsByAgent.values()]), notFollowed },
    signatures,
    ...factsOf(facts, Object.fromEntries(callsByError(refusedCharges))),
  };
};

/** A point of the chart, of the calls of one bucket that a filter selects; null if it may not be published. */
export const filteredPoint = (
  figures: BucketFigures,
  filter: TrafficFilter,
  large: LargeFamilies,
): TrafficPoint | null => {
  const pairs = publicCalls(figures, filter, large);
  if (!pairs) return null;
  const { calls: requests, ...endings } = countsOf(pairs.flatMap(outcomesOf));
  return pointOf({ start: figures.start, requests, ...endings, latencies: sumLatencies(pairs) });
};

export const pointOf = ({ start, requests, latencies, ...point }: Omit<BucketPoint, 'kind'>) => ({
  start,
  requests,
  ...endingsOf([], point),
  ...percentilesOf(latencies),
});

const selectPairs = (pairs: readonly PairFigures[], { operation, agent }: TrafficFilter): readonly PairFigures[] =>
  pairs.filter(
    (pair) =>
      (operation === undefined || pair.operation === operation) && (agent === undefined || pair.family === agent),
  );

const sumLatencies = (pairs: readonly PairFigures[]): readonly number[] => {
  const sum = new Map<number, number>();
  for (const { latencies } of pairs) addLatencies(sum, latencies);
  return serializeLatencies(sum);
};

const outcomesOf = ({ family, operation, outcomes }: PairFigures): readonly Outcome[] =>
  Object.entries(outcomes).map(([key, count]) => {
    const [channel = OTHER, status, error = '-'] = key.split(' ');
    return { family, operation, channel, status: Number(status), error: error === '-' ? null : error, count };
  });

const countsOf = (outcomes: readonly Outcome[]) => ({
  calls: outcomes.reduce((sum, { count }) => sum + count, 0),
  ...endingsOf(outcomes),
});

const groupBy = <Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
};

/** Groups with the most calls first; with as many, by name. */
const byCalls = (outcomes: readonly Outcome[], nameOf: (outcome: Outcome) => string) =>
  [...groupBy(outcomes, nameOf)]
    .map(([name, group]) => [name, countsOf(group)] as const)
    .sort(([oneName, one], [otherName, other]) => other.calls - one.calls || (oneName < otherName ? -1 : 1));

const callsByError = (outcomes: readonly Outcome[]) =>
  byCalls(outcomes, ({ error }) => error ?? OTHER).map(([error, { calls }]) => [error, calls] as const);

const percentilesOf = (latencies: readonly number[]) => {
  // More than four digits would mean nothing with an error of two per cent.
  const [p50Ms = null, p95Ms = null, p99Ms = null] = latencyQuantiles(latencies, [0.5, 0.95, 0.99]).map(
    (milliseconds) => milliseconds && Number(milliseconds.toPrecision(4)),
  );
  return { p50Ms, p95Ms, p99Ms };
};

const funnelOf = (outcomes: readonly Outcome[]): Readonly<Record<FunnelStep, number>> => {
  const funnel = Object.fromEntries(FUNNEL.map((step) => [step, 0])) as Record<FunnelStep, number>;
  for (const { operation, status, count } of outcomes) {
    const step = funnelStepOf(operation);
    if (step && status < 400) funnel[step] += count;
  }
  return funnel;
};

/** How many agents took each step, and how many of these searched too: who did not was not seen to come from a search. */
const agentStepsOf = (agents: readonly number[]) =>
  FUNNEL.map((step) => {
    const took = agents.filter((steps) => (steps & bitOf(step)) !== 0);
    return { step, agents: took.length, searched: took.filter((steps) => (steps & bitOf('search')) !== 0).length };
  });

const factsOf = (facts: readonly BucketFacts[], chargesRefusedByReason: Readonly<Record<string, number>>) => {
  const sum = (fact: Fact): number => facts.reduce((total, bucket) => total + (bucket.facts[fact] ?? 0), 0);
  return {
    mandates: {
      created: sum('mandatesCreated'),
      revoked: sum('mandatesRevoked'),
      chargesApproved: sum('chargesApproved'),
      chargesRefusedByReason,
    },
    payments: {
      captured: sum('paymentsCaptured'),
      declined: sum('paymentsDeclined'),
      challenged: sum('paymentsChallenged'),
    },
    security: {
      codesReplayed: sum('codesReplayed'),
      refreshTokensReused: sum('refreshTokensReused'),
      tokensRevoked: sum('tokensRevoked'),
      loginsThrottled: sum('loginsThrottled'),
      capsRefused: sum('capsRefused'),
    },
  };
};
