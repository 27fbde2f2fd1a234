import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CheckoutModule, CheckoutRecovery } from '#checkout';
import { type Config, InvalidConfig } from '#config';
import { LeasedProjector, RetiredCollections } from '#read-models';
import {
  type Dependencies,
  DependenciesModule,
  nestLogger,
  openDependencies,
  opening,
  openPorts,
  PROJECTIONS,
  reactorsOf,
  retryUntilAvailable,
} from '#runtime';
import type { Logger } from 'pino';

/** How often (ms) collections that nobody reads any more are dropped, and how long (ms) they are kept (docs/adr/0092). */
const [RETIRING_PAUSE, KEPT_UNUSED] = [3_600_000, 86_400_000];

/** A running process that projects and settles, or stands by to take over. */
export interface RunningProjector {
  readonly dependencies: Dependencies;
  readonly isActive: () => boolean;
  /** Finishes what runs, gives its leases back and closes the stores. */
  readonly stop: () => Promise<void>;
}

/** Starts projections, recovery and sealing under leases. @throws InvalidConfig without servers; AheadOfLog and others */
export const startProjector = async (config: Config, logger: Logger, open = openPorts): Promise<RunningProjector> => {
  if (config.servers === null) {
    throw new InvalidConfig(
      'EVENTSTORE_URL, MONGODB_URL: required for the projector; without them the API projects and settles by itself, in one process',
    );
  }
  return opening(logger, async (opened) => {
    const dependencies = await openDependencies(config, 'alcada-projector', logger, opened, open);
    await retryUntilAvailable(dependencies.clock, 'the store of the read models', () =>
      dependencies.readModels.follow(),
    );
    const modules = { module: ProjectorModule, imports: [DependenciesModule.of(dependencies), CheckoutModule] };
    const context = await NestFactory.createApplicationContext(modules, {
      logger: nestLogger(logger),
      abortOnError: false,
    });
    opened.add('work', () => context.close());
    const projector = leasedProjector(dependencies, config.times.projectionLease, logger);
    const recovery = context.get(CheckoutRecovery);
    const working = [projector, recovery, ...reactorsOf(dependencies, config, logger)];
    opened.add('work', async () => {
      await Promise.all(working.map((one) => one.stop()));
    });
    for (const one of working) one.start();
    const stopRetiring = retireCollections(dependencies, logger);
    opened.add('work', stopRetiring);
    return {
      dependencies,
      isActive: () => projector.isActive,
      stop: () => opened.close(),
    };
  });
};

@Module({})
class ProjectorModule {}

const leasedProjector = (
  { events, readModelStore: store, leases, clock, telemetry }: Dependencies,
  lease: number,
  logger: Logger,
): LeasedProjector => {
  const onError = (projection: string, error: unknown) => logger.error({ err: error, projection }, 'projection failed');
  const shared = { events, store, leases, clock, lease, onError, onBatch: telemetry?.batches };
  return new LeasedProjector(PROJECTIONS, shared);
};

/** Drops collections that nobody reads any more, now and every hour. Returns the function that ends it. */
const retireCollections = ({ readModelStore: store, leases, clock }: Dependencies, logger: Logger): (() => void) => {
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
  return clock.every(RETIRING_PAUSE, () => void look());
};
