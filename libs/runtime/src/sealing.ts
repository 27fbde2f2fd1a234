import type { Config } from '#config';
import { Sealer, TreeBuilder } from '#transparency';
import type { Logger } from 'pino';
import type { Dependencies } from './dependencies.js';

/**
 * The sealer of this process, which is not started yet. Where the stores are files it is the only one; with servers any
 * number may run, and a lease says which of them works.
 */
export const sealing = (
  { transparency, growing, leases, telemetry }: Dependencies,
  { servers, times }: Config,
  logger: Logger,
): Sealer => {
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
  return sealer;
};
