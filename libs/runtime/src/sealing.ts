import type { Logger } from 'pino';
import type { Config } from '#config';
import { FollowedPlaces } from '#event-store';
import { Sealer, TreeBuilder, Witnesses } from '#transparency';
import type { Dependencies } from './dependencies.js';

/** The sealer of this process, not started yet. With servers any number may run, and a lease says which of them works. */
export const sealing = (dependencies: Dependencies, config: Config, logger: Logger) => {
  const { transparency, growing, leases, telemetry } = dependencies;
  const events = new FollowedPlaces(transparency.events);
  const { servers, times } = config;
  const failed = telemetry?.reportSealing(() => sealer.figures);
  const sealer = new Sealer(transparency, {
    growing: growing?.(transparency.secret) ?? new TreeBuilder({ ...transparency, events }),
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
      events.stop();
    },
  };
};

/** Offers what this process seals to the witnesses, where there are any. It is not started yet. */
const witnessing = (
  { transparency, telemetry, clock }: Dependencies,
  { times }: Config,
  logger: Logger,
  isSealing: () => boolean,
): Witnesses | null => {
  const { cosignatures, log } = transparency;
  if (!cosignatures) return null;
  const count = telemetry?.witnesses ?? (() => undefined);
  return new Witnesses({
    policy: cosignatures.policy,
    cosignatures,
    head: async () => (isSealing() ? log.offered() : null),
    clock,
    interval: times.sealing,
    observer: {
      onOffer: count,
      onTrouble: (witness, trouble, isRefusal) => {
        if (trouble === null) logger.info({ witness }, 'a witness cosigns again');
        else logger[isRefusal ? 'error' : 'warn']({ witness, trouble }, 'a witness does not cosign');
      },
    },
    onError: (error) => logger.error({ err: error }, 'the head cannot be offered to witnesses'),
  });
};
