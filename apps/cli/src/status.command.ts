import type { Command } from 'commander';
import type { Config } from '#config';
import { API } from '#http';
import { standings } from '#read-models';
import { PROJECTIONS, storeLines } from '#runtime';
import { Heads } from '#transparency';
import { count } from './audit/format.js';
import { type Cli, json, type Line, report, withStoresToRead } from './command-line.js';

/** How long (ms) a server may take to answer. */
const PATIENCE = 3_000;

/** What a server says of itself; null: none answers. */
export interface Answered {
  readonly isReady: boolean;
  /** What it lacks; empty where it is ready. */
  readonly missing: readonly string[];
  readonly version: string | null;
  readonly startedAt: string | null;
}

/** Where the server of this configuration listens, as this machine reaches it. */
export const originOf = ({ host, port, addresses }: Config): string => {
  if (port === 0) return addresses.urls.site;
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${name}:${port}`;
};

interface Ready {
  readonly version?: string;
  readonly startedAt?: string;
  readonly details?: { readonly missing?: readonly string[] };
}

/** Asks the server at an address of this service how it is; null: nobody answers there, or somebody else. */
export const askServer = async (origin: string): Promise<Answered | null> => {
  try {
    const response = await fetch(`${origin}/${API}/health/ready`, { signal: AbortSignal.timeout(PATIENCE) });
    const { version, startedAt, details } = (await response.json()) as Ready;
    if (response.status !== 200 && !details) return null;
    const missing = details?.missing ?? [];
    return { isReady: response.ok, missing, version: version ?? null, startedAt: startedAt ?? null };
  } catch {
    return null;
  }
};

/** `3 d 4 h`, `2 h 5 min`, `41 s` of so many seconds. */
export const duration = (seconds: number): string => {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const from = parts.findIndex(([value]) => value > 0);
  const shown = from === -1 ? [[0, 's'] as const] : parts.slice(from, from + 2).filter(([value]) => value > 0);
  return shown.map(([value, unit]) => `${value} ${unit}`).join(' ');
};

/** What the stores hold, and how far what is made of the log is behind it. */
const storesOf = (config: Config) =>
  withStoresToRead(config, async ({ events, documents, readModelStore, clock }) => {
    const now = clock.now();
    const head = await events.head();
    const heads = new Heads(documents);
    await heads.prepare();
    const sealed = await heads.read();
    const readModels = await standings(events, readModelStore, PROJECTIONS, now);
    return {
      now,
      head: head && { position: head.position, occurredAt: head.metadata.occurredAt },
      sealed: sealed && { entries: sealed.size, position: sealed.position },
      readModels: readModels.map(({ projection, lag, building }) => ({ name: projection, ...lag, building })),
    };
  });
type Stores = Awaited<ReturnType<typeof storesOf>>;

const serverLine = (server: Answered | null, origin: string, now: string): Line => {
  if (server === null) return ['server', `none answers at ${origin}`];
  const { isReady, missing, version, startedAt } = server;
  const up = startedAt === null ? null : duration((Date.parse(now) - Date.parse(startedAt)) / 1_000);
  const parts = [
    isReady ? 'ready' : `NOT READY: ${missing.join(', ')}`,
    ...(version === null ? [] : [`version ${version}`]),
    ...(up === null ? [] : [`up for ${up}`]),
    origin,
  ];
  return ['server', parts.join(', ')];
};

const behind = ({ distance, seconds, building }: Stores['readModels'][number]): string =>
  [
    distance === 0
      ? 'up to date'
      : seconds < 1
        ? 'less than a second behind'
        : `${count(distance, 'position')} and ${duration(seconds)} behind`,
    ...(building === null ? [] : ['being built anew']),
  ].join('; ');

const lines = (server: Answered | null, origin: string, stores: Stores, config: Config): readonly Line[] => [
  serverLine(server, origin, stores.now),
  ...storeLines(config).map((line): Line => {
    const [, label = '', value = ''] = /^ {2}(.{16})(.*)$/.exec(line) ?? [];
    return [label.trim().toLowerCase(), value];
  }),
  ['log', stores.head ? `position ${BigInt(stores.head.position)}, last event ${stores.head.occurredAt}` : 'empty'],
  [
    'sealed',
    stores.sealed
      ? `${count(stores.sealed.entries, 'entry', 'entries')}, up to position ${BigInt(stores.sealed.position)}`
      : 'nothing yet',
  ],
  ...stores.readModels.map((one, place): Line => [place === 0 ? 'read models' : '', `${one.name}: ${behind(one)}`]),
];

/** `alcada status`: how the running server is, what its stores hold and what is behind. */
export const addStatusCommand = (program: Command, { config, write }: Cli): void => {
  program
    .command('status')
    .description('tell how the running server is, where its log ends and how far its read models are behind')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code 1 where no server answers, or it is not ready.')
    .action(async (options: { readonly json?: true }) => {
      const settings = config();
      const origin = originOf(settings);
      const server = await askServer(origin);
      const stores = await storesOf(settings);
      write(
        options.json ? json({ origin, server, ...stores }) : report('Alçada.', lines(server, origin, stores, settings)),
      );
      if (!server) throw new Error(`no server answers at ${origin}`);
      if (!server.isReady) throw new Error(`the server is not ready: ${server.missing.join(', ')}`);
    });
};
