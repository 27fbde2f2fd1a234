import type { Config } from '#config';
import { Sealer, TreeBuilder } from '#transparency';
import type { Logger } from 'pino';
import type { Dependencies } from './dependencies.js';
import { witnessing } from './witnessing.js';

/** What seals the log, and has witnesses cosign it. */
export interface Sealing {
  readonly start: () => void;
  /** Finishes the round that is under way. */
  readonly stop: () => Promise<void>;
}

/**
 * The sealer of this process, which is not started yet. Where the stores are files it is the only one; with servers any
 * number may run, and a lease says which of them works.
 */
export const sealing = (dependencies: Dependencies, config: Config, logger: Logger): Sealing => {
  const { transparency, growing, leases, telemetry } = dependencies;
  const { servers, times } = config;
  const failed = telemetry?.reportSealing(() => sealer.figures);
  const sealer = new Sealer(transparency, {
    growing: growing?.(transparency.secret) ?? new TreeBuilder(transparency),
    interval: times.sealing,
    lease: servers && { leases, milliseconds: times.projectionLease },
    onError: (error) => {
      failed?.();
      logger.error({ err: error }, 'the log is not sealed');
    },
  });
  const witnesses = witnessing(dependencies, config, logger, () => sealer.figures !== null);
  return {
    start: () => {
      sealer.start();
      witnesses?.start();
      for (const { build } of transparency.past)
        build().catch((error: unknown) => logger.error({ err: error }, 'the tiles of a past log are not built'));
    },
    stop: async () => {
      await Promise.all([witnesses?.stop(), sealer.stop()]);
    },
  };
};
