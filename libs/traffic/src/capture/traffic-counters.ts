import type { MinuteOfTraffic } from '#events';
import type { ErrorCode, Instant } from '#kernel';
import { latencyBucket, serializeLatencies } from '../figures/latency.rule.js';
import { type Channel, OTHER, type SignatureOutcome, stepsOf } from '../figures/names.rule.js';

export interface Call {
  readonly at: Instant;
  readonly channel: Channel;
  readonly operation: string;
  readonly family: string;
  readonly status: number;
  readonly error: ErrorCode | null;
  readonly milliseconds: number;
  /** Identifies the caller in memory only: a client's id, a host whose signature was verified, or else an address. */
  readonly agent: string;
  /** Whether that is certain: by a token, or by a signature. */
  readonly isCertain: boolean;
  /** What its signature came to; absent: it has none. */
  readonly signature?: SignatureOutcome;
}

/** The most distinct things between two flushes, and in one of their minutes; more are counted together. */
export const BOUNDS = { keys: 600, minutes: 180, minuteKeys: 300, pairs: 64, agents: 2_000 } as const;

interface Outcome {
  readonly channel: Channel;
  readonly status: number;
  readonly error: ErrorCode | null;
  count: number;
}

/** Calls of one family and operation. Maps are nested because joining names into one key would cost more than the rest. */
interface Pair {
  readonly family: string;
  readonly operation: string;
  readonly outcomes: Map<number | string, Outcome>;
  readonly latencies: Map<number, number>;
}

interface Minute {
  readonly key: string;
  readonly pairs: Map<string, Map<string, Pair>>;
  /** By family, the agents that are certain and the others, each with the steps of the funnel it took. */
  readonly agents: Map<string, { readonly clients: Map<string, number>; readonly addresses: Map<string, number> }>;
  readonly signatures: Map<SignatureOutcome, number>;
  keysCounted: number;
  pairsCounted: number;
  agentsCounted: number;
}

const CHANNEL_NUMBERS: Readonly<Record<Channel, number>> = {
  ...{ rest: 1_000, webmcp: 2_000, mcp: 3_000 },
  ...{ ucp: 4_000, ucp_mcp: 5_000 },
};

const outcomeKey = ({ channel, status, error }: Call): number | string =>
  error === null ? CHANNEL_NUMBERS[channel] + status : `${channel} ${status} ${error}`;

/** Calls counted in memory until they are taken. Its size is bounded, whatever names callers invent. */
export class TrafficCounters {
  private minutes = new Map<string, Minute>();
  private latest: Minute | null = null;
  private keys = 0;

  count(call: Call): void {
    const minute = this.minuteOf(call.at);
    const key = outcomeKey(call);
    let pair = minute.pairs.get(call.family)?.get(call.operation);
    let outcome = pair?.outcomes.get(key);
    if (!pair || !outcome) {
      pair = this.isFullFor(minute, pair) ? pairIn(minute, OTHER, OTHER) : pairIn(minute, call.family, call.operation);
      outcome = this.outcomeIn(minute, pair, key, call);
    }
    outcome.count += 1;
    const bucket = latencyBucket(call.milliseconds);
    pair.latencies.set(bucket, (pair.latencies.get(bucket) ?? 0) + 1);
    addAgent(minute, call);
    const { signature } = call;
    if (signature) minute.signatures.set(signature, (minute.signatures.get(signature) ?? 0) + 1);
  }

  /** What was counted since the last call, or null. `hashOf`: the stored form of an agent. */
  take(hashOf: HashOf): readonly MinuteOfTraffic[] | null {
    if (this.minutes.size === 0) return null;
    const taken = [...this.minutes.values()];
    this.minutes = new Map();
    this.latest = null;
    this.keys = 0;
    return taken.map(({ key, pairs, agents, signatures }) => {
      const start = `${key}:00.000Z`;
      const calls = [...pairs.values()].flatMap((ofFamily) => [...ofFamily.values()]);
      const minute = { start, calls: calls.map(toEvent), agents: hashesOf(agents, start, hashOf) };
      return signatures.size === 0 ? minute : { ...minute, signatures: Object.fromEntries(signatures) };
    });
  }

  private minuteOf(at: Instant): Minute {
    if (this.latest && at.startsWith(this.latest.key)) return this.latest;
    const key = at.slice(0, 16);
    const known = this.minutes.get(key);
    if (known) return known;
    if (this.latest && this.minutes.size >= BOUNDS.minutes) return this.latest;
    const counted = { keysCounted: 0, pairsCounted: 0, agentsCounted: 0 };
    this.latest = { key, pairs: new Map(), agents: new Map(), signatures: new Map(), ...counted };
    this.minutes.set(key, this.latest);
    return this.latest;
  }

  /** Whether a minute has no room for one more outcome of a pair; undefined: of a pair that is not counted yet. */
  private isFullFor({ keysCounted, pairsCounted }: Minute, pair: Pair | undefined): boolean {
    const { keys, minuteKeys, pairs } = BOUNDS;
    return this.keys >= keys || keysCounted >= minuteKeys || (!pair && pairsCounted >= pairs);
  }

  private outcomeIn(
    minute: Minute,
    { outcomes }: Pair,
    key: number | string,
    { channel, status, error }: Call,
  ): Outcome {
    const known = outcomes.get(key);
    if (known) return known;
    const outcome = { channel, status, error, count: 0 };
    outcomes.set(key, outcome);
    minute.keysCounted += 1;
    this.keys += 1;
    return outcome;
  }
}

/** The stored form of an agent that called in the minute that began at `start`. */
type HashOf = (agent: string, isCertain: boolean, start: Instant) => string;

const pairIn = (minute: Minute, family: string, operation: string): Pair => {
  const ofFamily = minute.pairs.get(family) ?? new Map<string, Pair>();
  minute.pairs.set(family, ofFamily);
  const known = ofFamily.get(operation);
  if (known) return known;
  const pair: Pair = { family, operation, outcomes: new Map(), latencies: new Map() };
  ofFamily.set(operation, pair);
  minute.pairsCounted += 1;
  return pair;
};

const addAgent = (minute: Minute, { family, agent, isCertain, operation, status }: Call): void => {
  let known = minute.agents.get(family);
  if (!known) minute.agents.set(family, (known = { clients: new Map(), addresses: new Map() }));
  const agents = isCertain ? known.clients : known.addresses;
  const before = agents.get(agent);
  if (before === undefined && minute.agentsCounted >= BOUNDS.agents) return;
  const steps = (before ?? 0) | stepsOf(operation, status);
  if (steps === before) return;
  agents.set(agent, steps);
  if (before === undefined) minute.agentsCounted += 1;
};

const toEvent = ({ family, operation, outcomes, latencies }: Pair): MinuteOfTraffic['calls'][number] => ({
  family,
  operation,
  outcomes: [...outcomes.values()],
  latencies: serializeLatencies(latencies),
});

/** The hashed agents of each family. An address counts once for each family it calls as. */
const hashesOf = (agents: Minute['agents'], start: Instant, hashOf: HashOf): MinuteOfTraffic['agents'] =>
  [...agents].map(([family, { clients, addresses }]) => ({
    family,
    hashes: [
      ...[...clients.keys()].map((client) => hashOf(client, true, start)),
      ...[...addresses.keys()].map((address) => hashOf(`${address} ${family}`, false, start)),
    ],
    steps: [...clients.values(), ...addresses.values()],
  }));
