import { type Config, InvalidConfig } from '#config';
import { checkoutRecoveryOn } from '#order';
import { LeasedProjector, RetiredCollections } from '#read-models';
import {
  closeDependencies,
  type Dependencies,
  openDependencies,
  openPorts,
  PROJECTIONS,
  retryUntilAvailable,
} from '#runtime';
import type { Logger } from 'pino';

/** How often (ms) is looked for collections that nobody reads any more, and how long (ms) they are kept (ADR 0043). */
const [RETIRING_PAUSE, KEPT_UNUSED] = [3_600_000, 86_400_000];

/** A running process that projects and settles, or stands by for one that does. */
export interface RunningProjector {
  readonly dependencies: Dependencies;
  /** Whether it projects at least one read model now. */
  readonly isActive: () => boolean;
  /** Finishes what runs, gives its leases back and lets go of the stores. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts what the API does by itself where it is alone: projections and the settler, each under a lease, so that any
 * number of these processes may run, one at work. `open`: opens what it stands on.
 *
 * @throws InvalidConfig where there are no servers; AheadOfLog and what `openPorts` throws
 */
export const startProjector = async (config: Config, logger: Logger, open = openPorts): Promise<RunningProjector> => {
  if (config.servers === null) {
    throw new InvalidConfig(
      'EVENTSTORE_URL, MONGODB_URL: required for the projector; without them the API projects and settles by itself, in one process',
    );
  }
  const dependencies = await openDependencies(config, 'alcada-projector', logger, open);
  const { events, readModelStore: store, leases, readModels, telemetry, orderSettings: settings } = dependencies;
  try {
    await retryUntilAvailable('the store of the read models', () => readModels.follow());
  } catch (error) {
    await closeDependencies(dependencies);
    throw error;
  }
  const lease = config.times.projectionLease;
  const onProjectionError = (projection: string, error: unknown) =>
    logger.error({ err: error, projection }, 'projection failed');
  const sharing = { events, store, leases, lease, onError: onProjectionError, watch: telemetry?.batches };
  const projectors = PROJECTIONS.map((projection) => new LeasedProjector(projection, sharing));
  for (const projector of projectors) projector.start();
  const onError = (id: string, error: unknown) => logger.error({ err: error, id }, 'settling failed');
  const settler = checkoutRecoveryOn({ ...dependencies, settings, onError, watch: telemetry?.settler });
  settler.start();
  const endRetiring = retiring(dependencies, logger);
  return {
    dependencies,
    isActive: () => projectors.some(({ isActive }) => isActive),
    stop: async () => {
      endRetiring();
      await Promise.all([...projectors.map((projector) => projector.stop()), settler.stop()]);
      await closeDependencies(dependencies);
    },
  };
};

/** Looks for collections that nobody reads any more, now and then; answers how to end that. */
const retiring = ({ readModelStore: store, leases, clock }: Dependencies, logger: Logger): (() => void) => {
  const retired = new RetiredCollections({ store, leases, clock, projections: PROJECTIONS, after: KEPT_UNUSED });
  const look = async (): Promise<void> => {
    try {
      const dropped = await retired.look();
      if (dropped.length > 0) logger.info({ dropped }, 'collections without use dropped');
    } catch (error) {
      logger.error({ err: error }, 'looking for collections without use failed');
    }
  };
  void look();
  const timer = setInterval(() => void look(), RETIRING_PAUSE);
  return () => clearInterval(timer);
};
