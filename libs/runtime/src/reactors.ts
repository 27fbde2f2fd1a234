import type { Logger } from 'pino';
import type { Config } from '#config';
import { OutboxWriter } from '#outbox';
import type { Dependencies } from './dependencies.js';
import { notifierOf } from './notifying.js';

/** What goes on with the log by itself and has effects of its own. */
export interface Reactor {
  readonly start: () => void;
  /** Finishes what is under way. */
  readonly stop: () => Promise<void>;
}

/** The reactors of this process, not started yet. With servers any number of processes may have them, and leases say which work. */
export const reactorsOf = (dependencies: Dependencies, config: Config, logger: Logger): readonly Reactor[] => {
  const { events, readModelStore: store, clock, leases } = dependencies;
  const { servers, times } = config;
  const lease = servers && { leases, milliseconds: times.projectionLease };
  const onError = (error: unknown) => logger.error({ err: error }, 'public events are not written');
  const writer = new OutboxWriter({ events, store, clock, lease, onError });
  return [writer, notifierOf(dependencies, config, logger)];
};
