import type { MinuteOfTraffic } from '#events';
import { AgentHashes } from '../capture/agent-hashes.js';
import { type Call, TrafficCounters } from '../capture/traffic-counters.js';

/** What a process would write down of some calls, after every so many of them. */
export function* minutesOf(calls: readonly Call[], every: number): Generator<readonly MinuteOfTraffic[]> {
  const hashes = new AgentHashes(Buffer.alloc(32, 9));
  for (let place = 0; place < calls.length; place += every) {
    const counters = new TrafficCounters();
    for (const call of calls.slice(place, place + every)) counters.count(call);
    const minutes = counters.take((...agent) => hashes.of(...agent));
    if (minutes) yield minutes;
  }
}

/** Microseconds that counting one of some calls takes, in the mean. */
export const countersCost = (calls: readonly Call[]): number => {
  const counters = new TrafficCounters();
  const start = performance.now();
  for (const call of calls) counters.count(call);
  return ((performance.now() - start) * 1_000) / calls.length;
};
