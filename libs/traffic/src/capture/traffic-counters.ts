import type { MinuteOfTraffic } from '#events';
import type { ErrorCode, Instant } from '#kernel';
import { type Channel, OTHER } from '../figures/operations.rule.js';
import { latencyBucket, writtenLatencies } from '../figures/latency.rule.js';

/** One call, as it is counted. */
export interface Call {
  readonly at: Instant;
  readonly channel: Channel;
  readonly operation: string;
  readonly family: string;
  readonly status: number;
  readonly error: ErrorCode | null;
  readonly milliseconds: number;
  /** What tells its agent from others. It stays in memory. */
  readonly agent: string;
}

/** Distinct things counted, agents told apart a minute and minutes, between two flushes; what is beyond goes together. */
export const BOUNDS = { keys: 2_000, agents: 2_000, minutes: 180 } as const;

interface Outcome {
  readonly channel: Channel;
  readonly status: number;
  readonly error: ErrorCode | null;
  count: number;
}

interface Pair {
  readonly family: string;
  readonly operation: string;
  readonly outcomes: Map<string, Outcome>;
  readonly latencies: Map<number, number>;
}

interface Minute {
  readonly start: Instant;
  readonly pairs: Map<string, Pair>;
  /** By agent, its family. */
  readonly agents: Map<string, string>;
}

/** Calls counted in memory until they are taken. Its size is bounded, whatever callers call themselves. */
export class TrafficCounters {
  private minutes = new Map<string, Minute>();
  private latest: Minute | null = null;
  private keys = 0;

  count({ at, channel, operation, family, status, error, milliseconds, agent }: Call): void {
    const minute = this.minuteOf(at);
    const way = `${channel} ${status} ${error}`;
    let pair = minute.pairs.get(`${family} ${operation}`);
    let outcome = pair?.outcomes.get(way);
    if (!pair || !outcome) {
      pair = this.keys < BOUNDS.keys ? this.pairIn(minute, family, operation) : this.pairIn(minute, OTHER, OTHER);
      outcome = this.outcomeIn(pair, way, { channel, status, error });
    }
    outcome.count += 1;
    const bucket = latencyBucket(milliseconds);
    pair.latencies.set(bucket, (pair.latencies.get(bucket) ?? 0) + 1);
    if (minute.agents.size < BOUNDS.agents) minute.agents.set(agent, family);
  }

  /** What was counted since it was last taken; null: nothing. `hashOf`: what may be told of an agent on a minute's day. */
  take(hashOf: (agent: string, start: Instant) => string): readonly MinuteOfTraffic[] | null {
    if (this.minutes.size === 0) return null;
    const taken = [...this.minutes.values()];
    this.minutes = new Map();
    this.latest = null;
    this.keys = 0;
    return taken.map(({ start, pairs, agents }) => ({
      start,
      calls: [...pairs.values()].map(({ family, operation, outcomes, latencies }) => ({
        family,
        operation,
        outcomes: [...outcomes.values()],
        latencies: writtenLatencies(latencies),
      })),
      agents: hashesOf(agents, (agent) => hashOf(agent, start)),
    }));
  }

  private minuteOf(at: Instant): Minute {
    const key = at.slice(0, 16);
    const known = this.minutes.get(key);
    if (known) return known;
    if (this.latest && this.minutes.size >= BOUNDS.minutes) return this.latest;
    this.latest = { start: `${key}:00.000Z`, pairs: new Map(), agents: new Map() };
    this.minutes.set(key, this.latest);
    return this.latest;
  }

  private pairIn({ pairs }: Minute, family: string, operation: string): Pair {
    const key = `${family} ${operation}`;
    const pair = pairs.get(key) ?? { family, operation, outcomes: new Map(), latencies: new Map() };
    pairs.set(key, pair);
    return pair;
  }

  private outcomeIn({ outcomes }: Pair, way: string, ended: Omit<Outcome, 'count'>): Outcome {
    const known = outcomes.get(way);
    if (known) return known;
    const outcome = { ...ended, count: 0 };
    outcomes.set(way, outcome);
    this.keys += 1;
    return outcome;
  }
}

/** The agents of each family, by what may be told of them. */
const hashesOf = (
  agents: ReadonlyMap<string, string>,
  hashOf: (agent: string) => string,
): MinuteOfTraffic['agents'] => {
  const hashes = new Map<string, string[]>();
  for (const [agent, family] of agents) {
    const known = hashes.get(family);
    if (known) known.push(hashOf(agent));
    else hashes.set(family, [hashOf(agent)]);
  }
  return [...hashes].map(([family, ofFamily]) => ({ family, hashes: ofFamily }));
};
