import type { EventStore } from '#event-store';
import type { Caller, Clock, Ids } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { AgentHashes } from './capture/agent-hashes.js';
import { TrafficCapture } from './capture/traffic-capture.js';
import { TrafficCounters } from './capture/traffic-counters.js';
import { TrafficRecorder } from './capture/traffic-recorder.js';

export interface TrafficSources {
  readonly events: EventStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Keys the hashes of clients: one for all processes. */
  readonly key: Buffer;
  /** The name a client is registered under; null if there is no such client. */
  readonly nameOf: (clientId: string) => Promise<string | null>;
  /** Who sent a request that nobody was asked to authorize, where its token is known already; nothing is verified for it. */
  readonly knownCallerOf: (request: FastifyRequest) => Caller | null;
  readonly onError: (error: unknown) => void;
}

/** The capture of agent traffic in a process: it counts each answered request and writes the counts to the event log. */
export interface Traffic {
  readonly answered: TrafficCapture['answered'];
  readonly begin: () => void;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const trafficOf = ({ key, nameOf, knownCallerOf, ...sources }: TrafficSources): Traffic => {
  const hashes = new AgentHashes(key);
  const counters = new TrafficCounters();
  const capture = new TrafficCapture(counters, sources.clock, { nameOf, knownCallerOf });
  const take = () => counters.take((...agent) => hashes.of(...agent));
  const recorder = new TrafficRecorder({ ...sources, take });
  return {
    answered: capture.answered,
    begin: () => recorder.begin(),
    flush: async () => {
      await capture.counted();
      await recorder.flush();
    },
    stop: async () => {
      await capture.counted();
      await recorder.stop();
    },
  };
};
