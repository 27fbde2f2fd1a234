import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore } from '#event-store';
import { millisecondsOf, RandomIds } from '#kernel';
import { ReadModels } from '#read-models';
import { FixedClock } from '#testing';
import { agentFactsProjection } from '../agent-facts.projection.js';
import { agentTrafficProjection } from '../agent-traffic.projection.js';
import { AgentHashes } from '../capture/agent-hashes.js';
import { type Call, TrafficCounters } from '../capture/traffic-counters.js';
import { TrafficRecorder } from '../capture/traffic-recorder.js';
import { type AgentTraffic, AgentTrafficReader } from '../query/agent-traffic.reader.js';
import type { TrafficFilter } from '../query/public-figures.js';
import type { WindowRequest } from '../query/traffic-window.js';

const PROJECTIONS = [agentTrafficProjection, agentFactsProjection];

/** A log and a read model of traffic in files of their own, and the answers that analysts would get. */
export const openAnalysis = async (now: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'analysis-'));
  const clock = new FixedClock(now);
  const ids = new RandomIds();
  const log = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  const failed = (_: string, error: unknown) => {
    throw error;
  };
  let opened = 0;
  const build = async () => {
    opened += 1;
    const file = join(folder, `read-models-${opened}.db`);
    const store = await EmbeddedDocuments.open({ file, durability: 'normal', clock });
    const models = new ReadModels(log, store, PROJECTIONS, clock, failed);
    await models.start();
    const reader = new AgentTrafficReader(clock, store, models);
    return {
      store,
      models,
      /** The answer for a window, once everything written is in the read model. */
      read: async (
        window: WindowRequest,
        filter: TrafficFilter = {},
        caller: string | null = null,
      ): Promise<AgentTraffic> => {
        const head = await log.head();
        if (head) await models.caughtUp(head.position);
        return (await reader.read({ window, filter, caller })).now;
      },
      close: async () => {
        await models.stop();
        await store.close();
      },
    };
  };
  /** A process that counts calls and writes them after every second, except for the last `unflushed` calls. */
  const record = async (calls: readonly Call[], unflushed = 0): Promise<void> => {
    const counters = new TrafficCounters();
    const hashes = new AgentHashes(Buffer.alloc(32, 7));
    const take = () => counters.take((...agent) => hashes.of(...agent));
    const onError = (error: unknown) => failed('recorder', error);
    const recorder = new TrafficRecorder({ events: log, clock, ids, take, onError });
    let second = '';
    for (const [place, call] of calls.entries()) {
      if (place >= calls.length - unflushed) return; // killed
      const of = call.at.slice(0, 19);
      if (second !== '' && of !== second) await recorder.flush();
      second = of;
      counters.count(call);
    }
    await recorder.stop();
  };
  return {
    log,
    clock,
    build,
    record,
    close: async () => {
      await log.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** How many calls fall in the last second: what a killed process may lose. */
export const lastSecondOf = (calls: readonly Call[]): number => {
  const end = millisecondsOf(calls.at(-1)?.at ?? '');
  return calls.filter(({ at }) => end - millisecondsOf(at) < 1_000).length;
};
