import type { Command } from 'commander';
import type { Config } from '#config';
import { API } from '#http';
import { SystemClock } from '#kernel';
import { standings } from '#read-models';
import { PROJECTIONS, storePlaces } from '#runtime';
import { Heads } from '#transparency';
import { count, duration } from './audit/format.js';
import { type Cli, type JsonOption, type Line, printed, withStoresToRead } from './command-line.js';

/** How long (ms) a server may take to answer. */
const PATIENCE = 3_000;

/** What a server says of itself; null: none answers. */
export interface Answered {
  readonly isReady: boolean;
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
      readModels: readModels.map(({ projection, lag, building, unread }) => ({
        name: projection,
        ...lag,
        building,
        unread,
      })),
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

const behind = ({ distance, seconds, building, unread }: Stores['readModels'][number]): string =>
  [
    ...(unread === null ? [] : [`STOPPED before ${unread.stream}@${unread.revision}: ${unread.message}`]),
    distance === 0
      ? 'up to date'
      : seconds < 1
        ? 'less than a second behind'
        : `${count(distance, 'position')} and ${duration(seconds)} behind`,
    ...(building === null ? [] : ['being built anew']),
  ].join('; ');

const storesLines = ({ head, sealed, readModels }: Stores): readonly Line[] => [
  ['log', head ? `position ${BigInt(head.position)}, last event ${head.occurredAt}` : 'empty'],
  [
    'sealed',
    sealed ? `${count(sealed.entries, 'entry', 'entries')}, up to position ${BigInt(sealed.position)}` : 'nothing yet',
  ],
  ...readModels.map((one, place): Line => [place === 0 ? 'read models' : '', `${one.name}: ${behind(one)}`]),
];

/** `alcada status`: how the running server is, what its stores hold and what is behind. */
export const defineStatus = (status: Command, { config, write }: Cli): void => {
  status
    .addHelpText('after', '\nExit code 1 where no server answers, or it is not ready.')
    .action(async (options: JsonOption) => {
      const settings = await config();
      const origin = originOf(settings);
      const server = await askServer(origin);
      const stores = await storesOf(settings).catch((error: unknown) => ({ error }));
      const isRead = !('error' in stores);
      const lines: readonly Line[] = [
        serverLine(server, origin, isRead ? stores.now : new SystemClock().now()),
        ...storePlaces(settings).map(([label, place]): Line => [label.toLowerCase(), place]),
        ...(isRead ? storesLines(stores) : [['stores', 'CANNOT BE READ'] as const]),
      ];
      write(printed(options, { origin, server, ...(isRead ? stores : { stores: null }) }, 'Alçada.', lines));
      if (!isRead) throw stores.error;
      if (!server) throw new Error(`no server answers at ${origin}`);
      if (!server.isReady) throw new Error(`the server is not ready: ${server.missing.join(', ')}`);
    });
};
