import type { Instant } from '#kernel';
import {
  addSignatures,
  type BucketFigures,
  type PairFigures,
  type SignatureFigures,
} from '../agent-traffic.projection.js';
import { certainAgents } from '../capture/agent-hashes.js';
import { startOf } from '../figures/buckets.rule.js';
import { addLatencies, serializeLatencies } from '../figures/latency.rule.js';
import { OTHER } from '../figures/names.rule.js';

/** A family with fewer agents is not published by its name, because its figures could identify one of them. */
export const MIN_AGENTS = 5;

/** Selects calls; an absent field selects all. */
export interface TrafficFilter {
  readonly operation?: string | undefined;
  readonly agent?: string | undefined;
}

export const isFiltered = ({ operation, agent }: TrafficFilter): boolean =>
  operation !== undefined || agent !== undefined;

/** The figures of some buckets as they may be published: families that may not be named count under `other`. */
export interface PublicFigures {
  readonly calls: readonly PairFigures[];
  /** The hashed agents of each published family, each with the steps of the funnel it took, as bits. */
  readonly agents: ReadonlyMap<string, Steps>;
  readonly signatures: SignatureFigures;
  /** How many families have calls that count under `other`, for want of agents. */
  readonly smallFamilies: number;
  /** How many calls hide who took which steps. */
  readonly notFollowed: number;
}

/** Steps of the funnel, as bits, by the hash of the agent that took them. */
export type Steps = ReadonlyMap<string, number>;

const isLarge = (hashes: Iterable<string>): boolean => certainAgents(hashes) >= MIN_AGENTS;
const keyOf = (day: Instant, family: string): string => `${day} ${family}`;

/** The families that are large enough to be named, by UTC day. */
export class LargeFamilies {
  private readonly keys = new Set<string>();

  /** Learns which families are large enough on a day, from all figures of that day. */
  add({ start, agents }: BucketFigures): void {
    for (const [family, hashes] of Object.entries(agents)) if (isLarge(hashes)) this.keys.add(keyOf(start, family));
  }

  has(day: Instant, family: string): boolean {
    return this.keys.has(keyOf(day, family));
  }
}

/** The calls of a bucket that a filter selects by publishable names; null: those of a family with too few agents. */
export const publicCalls = (
  { start, calls, agents }: BucketFigures,
  { operation, agent }: TrafficFilter,
  large: LargeFamilies,
): readonly PairFigures[] | null => {
  const day = startOf('day', start);
  const isNamed = (family: string) => large.has(day, family) && isLarge(agents[family] ?? []);
  if (agent !== undefined && agent !== OTHER && !isNamed(agent)) return null;
  const ofOperation = Object.values(calls).filter((pair) => operation === undefined || pair.operation === operation);
  if (agent === undefined) return ofOperation;
  return ofOperation.filter(({ family }) => family === agent || (agent === OTHER && !isNamed(family)));
};

interface PairSum {
  readonly family: string;
  readonly operation: string;
  readonly outcomes: Map<string, number>;
  readonly latencies: Map<number, number>;
}

/** Sums buckets one by one. A family is named on days when it is large, so that no difference shows a few agents. */
export class FiguresSum {
  private readonly pairs = new Map<string, PairSum>();
  private readonly agents = new Map<string, Map<string, number>>();
  private notFollowed = 0;
  private readonly small = new Set<string>();
  private signatures: SignatureFigures = addSignatures();

  constructor(private readonly large: LargeFamilies) {}

  /** Adds the figures of a bucket, whose day `large` has to know already. */
  add({ start, calls, agents, steps, signatures, notFollowed = 0 }: BucketFigures): void {
    this.signatures = addSignatures(this.signatures, signatures);
    this.notFollowed += notFollowed;
    const day = startOf('day', start);
    const nameOf = (family: string) => {
      if (this.large.has(day, family)) return family;
      if (family !== OTHER) this.small.add(family);
      return OTHER;
    };
    for (const { family, operation, outcomes, latencies } of Object.values(calls)) {
      const sum = pairIn(this.pairs, nameOf(family), operation);
      for (const outcome in outcomes) addTo(sum.outcomes, outcome, outcomes[outcome] ?? 0);
      addLatencies(sum.latencies, latencies);
    }
    for (const [family, hashes] of Object.entries(agents)) {
      const taken = steps?.[family] ?? [];
      const entries = hashes.map((hash, place) => [hash, taken[place] ?? 0] as const);
      addSteps(stepsIn(this.agents, nameOf(family)), entries);
    }
  }

  published(): PublicFigures {
    const nameOf = (family: string) => (isLarge(this.agents.get(family)?.keys() ?? []) ? family : OTHER);
    const pairs = new Map<string, PairSum>();
    for (const { family, operation, outcomes, latencies } of this.pairs.values()) {
      const sum = pairIn(pairs, nameOf(family), operation);
      for (const [outcome, count] of outcomes) addTo(sum.outcomes, outcome, count);
      for (const [bucket, count] of latencies) addTo(sum.latencies, bucket, count);
    }
    const agents = new Map<string, Map<string, number>>();
    for (const [family, steps] of this.agents) addSteps(stepsIn(agents, nameOf(family)), steps);
    const small = new Set([...this.small, ...[...this.agents.keys()].filter((family) => nameOf(family) !== family)]);
    return {
      calls: [...pairs.values()].map(figuresOf),
      agents,
      signatures: this.signatures,
      smallFamilies: small.size,
      notFollowed: this.notFollowed,
    };
  }
}

const pairIn = (pairs: Map<string, PairSum>, family: string, operation: string): PairSum => {
  const key = `${family} ${operation}`;
  const pair = pairs.get(key) ?? { family, operation, outcomes: new Map(), latencies: new Map() };
  pairs.set(key, pair);
  return pair;
};

const addTo = <Key>(counts: Map<Key, number>, key: Key, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

const stepsIn = (agents: Map<string, Map<string, number>>, family: string): Map<string, number> => {
  const known = agents.get(family) ?? new Map<string, number>();
  agents.set(family, known);
  return known;
};

/** Adds the steps of some agents to what is known of them; an agent may be of several families. */
export const addSteps = (to: Map<string, number>, steps: Iterable<readonly [hash: string, steps: number]>): void => {
  for (const [hash, taken] of steps) to.set(hash, (to.get(hash) ?? 0) | taken);
};

const figuresOf = ({ outcomes, latencies, ...pair }: PairSum): PairFigures => ({
  ...pair,
  outcomes: Object.fromEntries(outcomes),
  latencies: serializeLatencies(latencies),
});
