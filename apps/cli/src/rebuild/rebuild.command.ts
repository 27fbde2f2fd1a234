import { Leases, LEASES } from '#documents';
import { type Projection, rebuild as rebuilt, REBUILD_GRACE, type Standing, standings } from '#read-models';
import { type Ports, PROJECTIONS } from '#runtime';
import { argumentsIn } from '../arguments.js';
import { type Command, type Invocation, UsageError } from '../command.js';
import { json, type Line, told } from '../output.js';
import { withStores } from '../stores.js';
import { progressLine } from './progress-line.js';

const OPTIONS = { json: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } } as const;

/** The projections that a command line names. @throws UsageError listing what there is. */
const namedBy = (names: readonly string[], all: boolean): readonly Projection<object>[] => {
  const [name, more] = names;
  if (more !== undefined || (all && name !== undefined)) throw new UsageError('one read model, or --all');
  if (all) return PROJECTIONS;
  const known = PROJECTIONS.filter((projection) => projection.name === name);
  const list = PROJECTIONS.map((projection) => projection.name).join(', ');
  if (name === undefined) throw new UsageError(`which read model? There are ${list}; or --all`);
  if (known.length === 0) throw new UsageError(`there is no read model ${name}; there are ${list}`);
  return known;
};

/** Ends what runs at the first signal; its process ends at the second, as without it. */
const untilSignal = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const ending = new AbortController();
  const end = () => ending.abort(new Error('interrupted; the read model that was being rebuilt is as it was'));
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    await work(ending.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
};

const rebuildAll = async (
  projections: readonly Projection<object>[],
  { config: { servers, times } }: Invocation,
  { events, documents, readModelStore: store, clock, ids }: Ports,
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
      onError: (name, error) =>
        process.stderr.write(`\n${name}: ${error instanceof Error ? error.message : String(error)}\n`),
      onProgress: progressLine(projection.name, process.stderr),
      signal,
    });
  }
};

const run = async (invocation: Invocation): Promise<void> => {
  const { positionals, values } = argumentsIn(invocation.args, null, OPTIONS);
  const projections = namedBy(positionals, values.all);
  await untilSignal((signal) =>
    withStores(invocation.config, (ports) => rebuildAll(projections, invocation, ports, signal)),
  );
  const names = projections.map(({ name }) => name);
  invocation.write(values.json ? json({ rebuilt: names }) : told(`Rebuilt: ${names.join(', ')}.`));
};

const line = ({ projection, version, generation, building, lag }: Standing): Line => [
  projection,
  [
    `version ${version}, generation ${generation}`,
    lag.distance === 0 ? 'up to date' : `${lag.distance} positions and ${Math.round(lag.seconds)} s behind`,
    ...(building === null ? [] : [`generation ${building} is being built, or was left by an interrupted rebuild`]),
  ].join('; '),
];

const list = async ({ args, config, write }: Invocation): Promise<void> => {
  const { values } = argumentsIn(args, [], { json: OPTIONS.json });
  const found = await withStores(config, ({ events, readModelStore, clock }) =>
    standings(events, readModelStore, PROJECTIONS, clock.now()),
  );
  write(values.json ? json(found) : told('Read models.', found.map(line)));
};

/** `alcada rebuild`: read models anew from the log. */
export const rebuild: Command = {
  usage: [
    ['rebuild <read model> | --all', 'build read models anew from the log, beside the live ones, and then swap them'],
    ['rebuild list', 'the read models, and how far each is behind the log'],
  ],
  run: ({ args, ...rest }) => (args[0] === 'list' ? list({ args: args.slice(1), ...rest }) : run({ args, ...rest })),
};
