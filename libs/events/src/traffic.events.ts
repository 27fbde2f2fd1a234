import { z } from 'zod';
import { type Instant, recorder } from '#kernel';
import { errorCode, type EventOf, instant } from './schema.js';
import { streamType } from './stream-type.js';

/** How many calls ended in one way. */
const outcome = z.object({
  /** The channel: `rest`, `webmcp`, `mcp`, `ucp` or `ucp_mcp`. */
  channel: z.string(),
  /** HTTP status of the answer; of a tool's refusal the status that the API answers in the same case. */
  status: z.int(),
  /** Code of a refusal; null: none. */
  error: errorCode.nullable(),
  count: z.int().positive(),
});

/** Calls of one operation by agents of one family. */
const calls = z.object({
  family: z.string(),
  operation: z.string(),
  outcomes: z.array(outcome).readonly(),
  /** Place of a latency bucket and how many calls fell into it, by turns. */
  latencies: z.array(z.int()).readonly(),
});

/** Who called, as keyed hashes: no id and no address. */
const agents = z.object({
  family: z.string(),
  hashes: z.array(z.string()).readonly(),
  /** For each of the hashes the steps from search to receipt that its agent took, as bits; absent: nobody looked. */
  steps: z.array(z.int().nonnegative()).readonly().optional(),
});

const count = z.int().positive().optional();
/** Calls by what their signatures came to. */
const signatures = z.object({ verified: count, unverified: count, wrong: count }).readonly();

/** Events of `traffic-<UTC day>-<start>`: what one process counted since the event before, by UTC minute (rule 26). */
export const trafficEvents = {
  AgentTrafficObserved: z.object({
    minutes: z
      .array(
        z.object({
          /** When the minute began. */
          start: instant,
          calls: z.array(calls).readonly(),
          agents: z.array(agents).readonly(),
          /** How many calls had a signature, by what it came to; absent: none had. */
          signatures: signatures.optional(),
        }),
      )
      .readonly(),
  }),
};

export type TrafficEvent = EventOf<typeof trafficEvents>;
export type MinuteOfTraffic = TrafficEvent['data']['minutes'][number];

/** `traffic-<UTC day>-<start>`, by an instant of that day and the name of the process's start. */
export const trafficLog = streamType({
  category: 'traffic',
  id: ({ at, start }: { readonly at: Instant; readonly start: string }) => `${at.slice(0, 10)}-${start}`,
  events: trafficEvents,
  decider: recorder<TrafficEvent>(),
});
