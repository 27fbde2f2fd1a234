import type { Instant } from '#kernel';
import type { BucketFacts, Fact } from '../agent-facts.projection.js';
import type { BucketPoint } from '../agent-traffic.projection.js';
import { addLatencies, latencyQuantiles, serializeLatencies } from '../figures/latency.rule.js';
import { FUNNEL, type FunnelStep, funnelStepOf, OTHER } from '../figures/names.rule.js';
import type { AgentTrafficView } from './agent-traffic.view.js';
import type { TrafficPointView } from './traffic-figures.view.js';
import { agentsByFamily, type PublicFigures } from './public-figures.js';
import { type CallsOfPair, CallSum, outcomesOf, summedPairs, type TrafficFilter } from './traffic-sum.js';

/** What a charge is refused for by its mandate, or for want of one. */
const REFUSALS = /^(?:mandate_|currency_mismatch$|invalid_mandate$)/;

export type TrafficReport = Omit<AgentTrafficView, 'generatedAt' | 'window' | 'series'>;

/** What figures and facts of a window add up to, for the calls that a filter means. */
export const reportOf = (
  figures: readonly PublicFigures[],
  facts: readonly BucketFacts[],
  { operation, agent }: TrafficFilter,
): TrafficReport => {
  const agents = agentsByFamily(figures);
  const meantAgents =
    agent === undefined ? new Set([...agents.values()].flatMap((ones) => [...ones])) : agents.get(agent);
  const pairs = summedPairs(figures.flatMap(({ calls }) => calls));
  const ofAgent = agent === undefined ? pairs : pairs.filter(({ family }) => family === agent);
  const meant = operation === undefined ? ofAgent : ofAgent.filter((pair) => pair.operation === operation);
  const outcomes = meant.flatMap(outcomesOf);
  const byOperation = grouped(outcomes, (one) => one.operation);
  for (const pair of meant) {
    const sum = byOperation.get(pair.operation);
    if (sum) addLatencies(sum.latencies, pair.latencies);
  }
  const all = grouped(outcomes, () => OTHER).get(OTHER) ?? new CallSum();
  const refusals = outcomes.filter(({ error }) => error !== null);
  const orders = pairs.filter((pair) => pair.operation === 'place_order').flatMap(outcomesOf);
  const charges = orders.filter(({ error }) => error !== null && REFUSALS.test(error));
  return {
    totals: { requests: all.calls, errors: all.errors, errorRate: rateOf(all), agents: meantAgents?.size ?? 0 },
    byChannel: listed(
      grouped(outcomes, (one) => one.channel),
      (channel, sum) => ({ channel, ...countsOf(sum) }),
    ),
    byOperation: listed(byOperation, (name, sum) => ({
      operation: name,
      ...countsOf(sum),
      ...percentilesOf(serializeLatencies(sum.latencies)),
    })),
    byStatus: [...grouped(outcomes, (one) => one.status)]
      .sort(([one], [other]) => one - other)
      .map(([status, { calls }]) => ({ status, calls })),
    byErrorCode: listed(
      grouped(refusals, (one) => one.error ?? OTHER),
      (error, { calls }) => ({ error, calls }),
    ),
    byAgentFamily: listed(
      grouped(outcomes, (one) => one.family),
      (family, sum) => ({
        family,
        ...countsOf(sum),
        agents: agents.get(family)?.size ?? 0,
      }),
    ),
    funnel: funnelOf(ofAgent.flatMap(outcomesOf)),
    ...factsOf(
      facts,
      grouped(charges, (one) => one.error ?? OTHER),
    ),
  };
};

/** A point of the chart; its latencies as they are written down. */
export const pointOf = (
  start: Instant,
  { requests, errors, latencies }: Pick<BucketPoint, 'requests' | 'errors' | 'latencies'>,
): TrafficPointView => ({
  start,
  requests,
  errors,
  ...percentilesOf(latencies),
});

const grouped = <Key>(outcomes: readonly CallsOfPair[], keyOf: (one: CallsOfPair) => Key): Map<Key, CallSum> => {
  const sums = new Map<Key, CallSum>();
  for (const one of outcomes) {
    const key = keyOf(one);
    const sum = sums.get(key) ?? new CallSum();
    sum.add(one.count, one.status);
    sums.set(key, sum);
  }
  return sums;
};

/** The most called first; of those called as often, by name. */
const listed = <Item>(
  sums: ReadonlyMap<string, CallSum>,
  item: (name: string, sum: CallSum) => Item,
): readonly Item[] =>
  [...sums]
    .sort(([oneName, one], [otherName, other]) => other.calls - one.calls || (oneName < otherName ? -1 : 1))
    .map(([name, sum]) => item(name, sum));

const countsOf = ({ calls, errors }: CallSum) => ({ calls, errors });

const rateOf = ({ calls, errors }: CallSum): number => (calls === 0 ? 0 : Number((errors / calls).toPrecision(4)));

/** Of counts as they are written down. */
const percentilesOf = (latencies: readonly number[]) => {
  const [p50Ms = null, p95Ms = null, p99Ms = null] = latencyQuantiles(latencies, [0.5, 0.95, 0.99]).map(shortened);
  return { p50Ms, p95Ms, p99Ms };
};

/** Four digits: more would tell nothing, with two per cent of error. */
const shortened = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Number(milliseconds.toPrecision(4));

const funnelOf = (outcomes: readonly CallsOfPair[]): Readonly<Record<FunnelStep, number>> => {
  const funnel = Object.fromEntries(FUNNEL.map((step) => [step, 0])) as Record<FunnelStep, number>;
  for (const { operation, status, count } of outcomes) {
    const step = funnelStepOf(operation);
    if (step && status < 400) funnel[step] += count;
  }
  return funnel;
};

const factsOf = (facts: readonly BucketFacts[], refusedCharges: ReadonlyMap<string, CallSum>) => {
  const of = (fact: Fact): number => facts.reduce((sum, one) => sum + (one.facts[fact] ?? 0), 0);
  const reasons = listed(refusedCharges, (reason, { calls }) => [reason, calls] as const);
  return {
    mandates: {
      created: of('mandatesCreated'),
      revoked: of('mandatesRevoked'),
      chargesApproved: of('chargesApproved'),
      chargesRefusedByReason: Object.fromEntries(reasons),
    },
    payments: {
      captured: of('paymentsCaptured'),
      declined: of('paymentsDeclined'),
      challenged: of('paymentsChallenged'),
    },
    security: {
      codesReplayed: of('codesReplayed'),
      refreshTokensReused: of('refreshTokensReused'),
      tokensRevoked: of('tokensRevoked'),
      loginsThrottled: of('loginsThrottled'),
      capsRefused: of('capsRefused'),
    },
  };
};
