import type { Command } from 'commander';
import type { Config } from '#config';
import { Leases, LEASES } from '#documents';
import { type Projection, rebuild as rebuilt, REBUILD_GRACE, type Standing, standings } from '#read-models';
import { type Ports, progressLine, PROJECTIONS, type Screen } from '#runtime';
import {
  type Cli,
  type JsonOption,
  type Line,
  printed,
  untilSignal,
  withStores,
  withStoresToRead,
} from './command-line.js';

/** The projections that a command line names, or an error that lists them. */
const namedBy = (name: string | undefined, all: boolean, command: Command): readonly Projection<object>[] => {
  if (all && name !== undefined) command.error('error: give one read model or --all, not both');
  if (all) return PROJECTIONS;
  const list = PROJECTIONS.map((projection) => projection.name).join(', ');
  if (name === undefined) command.error(`error: which read model? Choose one of ${list}, or --all`);
  const known = PROJECTIONS.filter((projection) => projection.name === name);
  if (known.length === 0) command.error(`error: there is no read model ${name}; choose one of ${list}`);
  return known;
};

const INTERRUPTED = new Error('interrupted; the read model that was being rebuilt is unchanged');

const rebuildAll = async (
  projections: readonly Projection<object>[],
  { servers, times }: Config,
  { events, documents, readModelStore: store, clock, ids }: Ports,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> => {
  await documents.prepare(LEASES);
  const leases = new Leases(documents, clock, ids.next());
  for (const projection of projections) {
    await rebuilt(projection, {
      events,
      store,
      leases,
      clock,
      lease: times.projectionLease,
      grace: servers === null ? 0 : REBUILD_GRACE,
      onError: (name, error) => screen.write(`\n${name}: ${error instanceof Error ? error.message : String(error)}\n`),
      onProgress: progressLine(projection.name, screen),
      signal,
    });
  }
};

const line = ({ projection, version, generation, building, lag }: Standing): Line => [
  projection,
  [
    `version ${version}, generation ${generation}`,
    lag.distance === 0 ? 'up to date' : `${lag.distance} positions and ${Math.round(lag.seconds)} s behind`,
    ...(building === null
      ? []
      : [`generation ${building} is being built, or was left behind by an interrupted rebuild`]),
  ].join('; '),
];

interface Options extends JsonOption {
  readonly all?: true;
}

export const defineRebuild = (rebuild: Command, { config, write, stderr }: Cli): void => {
  rebuild
    .argument('[read model]')
    .option('--all', 'rebuild every read model')
    .action(async (name: string | undefined, options: Options) => {
      const projections = namedBy(name, options.all ?? false, rebuild);
      const settings = await config();
      await untilSignal(
        (signal) => withStores(settings, (ports) => rebuildAll(projections, settings, ports, stderr, signal)),
        INTERRUPTED,
      );
      const names = projections.map((projection) => projection.name);
      write(printed(options, { rebuilt: names }, `Rebuilt: ${names.join(', ')}.`));
    });

  rebuild
    .command('list')
    .description('list the read models and how far each one is behind the event log')
    .action(async (_options: Options, list: Command) => {
      const found = await withStoresToRead(await config(), ({ events, readModelStore, clock }) =>
        standings(events, readModelStore, PROJECTIONS, clock.now()),
      );
      // Its parent knows --json too, and takes it.
      write(printed(list.optsWithGlobals<Options>(), found, 'Read models.', found.map(line)));
    });
};
