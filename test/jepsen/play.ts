import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyReadModels } from '#audit';
import { readConfig } from '#config';
import { LEDGER, REFUNDS } from '#checkout';
import { openPorts, type Ports, PROJECTIONS } from '#runtime';
import { ANA, apiAt, BRUNO, tokensFor } from '../support/agent.js';
import type { Traveller } from '../support/consent.js';
import { readBooks } from '../support/books.js';
import { wholeList } from '../support/purchase.js';
import { type Environment, newFolder, removeFolder } from '../support/service.js';
import { areServersUsed, storesOf } from '../support/stores.js';
import { randomFrom, TcpProxy } from '#testing';
import { Agent, type Household, type Sightings, type World } from './agents.js';
import type { Cluster } from './cluster.js';
import { History } from './history.js';
import { PlatformAgent, platformToken, registerPlatform } from './platform.js';
import { judge, type Judgement } from './judge.js';
import { nemesis, type Victims } from './nemesis.js';
import { Supervised } from './supervised.js';
import { proxyTo, through as documentsThrough } from '../../libs/documents/src/testing/index.js';
import { hostOf, through as eventsThrough } from '../../libs/event-store/src/testing/index.js';

const PROCESSES = 3;

/** Where processes have their stores: on servers each by lines of its own, which can be cut; nodes of a cluster name themselves. */
const linesFor = async (stores: Environment, isCluster: boolean) => {
  const { EVENTSTORE_URL, MONGODB_URL } = stores;
  const lines: { readonly name: string; readonly line: TcpProxy }[] = [];
  const environments: Environment[] = [];
  if (EVENTSTORE_URL === undefined || MONGODB_URL === undefined) environments.push(stores);
  else
    for (let place = 0; place < PROCESSES; place += 1) {
      const documents = await proxyTo(MONGODB_URL);
      lines.push({ name: `documents of ${place}`, line: documents });
      const own = { ...stores, MONGODB_URL: documentsThrough(MONGODB_URL, documents) };
      if (isCluster) environments.push(own);
      else {
        const events = await TcpProxy.to(hostOf(EVENTSTORE_URL));
        lines.push({ name: `events of ${place}`, line: events });
        environments.push({ ...own, EVENTSTORE_URL: eventsThrough(EVENTSTORE_URL, events.port) });
      }
    }
  const close = async () => {
    await Promise.all(lines.map(({ line }) => line.close()));
  };
  return { environments, lines, close };
};

export interface Options {
  readonly seconds: number;
  readonly seed: number;
  /** Where the history is written; null: nowhere. */
  readonly file: string | null;
  /** Whether the data are on a small disk of their own, which can be filled: that takes the right to mount one. */
  readonly smallDisk: boolean;
  /** The nodes of EVENTSTORE_URL, to do harm to them too; null: they are left alone. */
  readonly cluster?: Cluster | null;
  /** Within how many ms an order is decided whose answer was lost, while nothing is wrong. */
  readonly bound: number;
}

export interface Played extends Judgement {
  readonly history: History;
  readonly sightings: Sightings;
}

const AGENTS = 6;
/** How long (ms) agents may take to end what they have begun, once nothing is wrong any more. */
const REST = 180_000;
/** Nothing is refused because there is much of it, and what a call left is taken up again soon. */
const ENVIRONMENT: Environment = {
  PASSWORD_COST: '10',
  LOG_LEVEL: 'error',
  IDEMPOTENCY_LEASE_SECONDS: '4',
  LIMIT_OPERATIONS: '0',
  LIMIT_PUBLIC_READS: '0',
  LIMIT_REFUSED_CARDS: '0',
  LIMIT_OPEN_MANDATES: '0',
  AGENT_TRAFFIC: 'off',
  ALLOW_CLOCK_AHEAD: 'on',
};

/** Plays agents against real processes while a nemesis does them harm, and judges what they were told and what is left. */
export const play = async ({ seconds, seed, file, smallDisk, bound, cluster = null }: Options): Promise<Played> => {
  const folder = await newFolder();
  if (smallDisk) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'jepsen', folder]);
  await inStores(folder, ({ documents }) => registerPlatform(documents));
  const lines = await linesFor(storesOf(folder), cluster !== null);
  const random = randomFrom(seed);
  const history = new History(file);
  const environments = lines.environments.map((one) => ({ ...one, ...ENVIRONMENT }));
  const ordering = new Map<string, number>();
  const victims: Victims = {
    isOrdering: (origin) => (ordering.get(origin) ?? 0) > 0,
    ...(await start(folder, environments)),
    lines: lines.lines,
    cluster,
    filler: smallDisk ? join(folder, 'filler') : null,
  };
  try {
    const world = await worldOf(victims, { history, random, ordering });
    const sightings: Sightings = { lists: 0, stale: 0, receipts: 0, missing: [], sessions: 0, pages: 0, recovered: [] };
    const households: Household[] = [];
    const [origin = ''] = world.origins;
    for (const traveller of [ANA, BRUNO])
      households.push(householdOf(traveller, (await tokensFor(origin, { traveller })).access_token));
    const platforms = householdOf(ANA, await platformToken(origin, ANA));
    households.push(platforms);
    const agents = Array.from({ length: AGENTS }, (_, place) => {
      const household = households[place % households.length];
      if (!household) throw new Error('an agent has no traveller');
      const isPlatform = household === platforms;
      return new (isPlatform ? PlatformAgent : Agent)(`agent ${place}`, household, world, sightings);
    });
    const working = Promise.all(agents.map((agent) => agent.work()));
    const harming = nemesis(victims, { history, random, isOver: () => world.isOver });
    await Promise.race([harming, sleep(1_000 * seconds)]); // a process that does not come back ends the run
    world.isOver = true;
    const harm = await harming;
    const waiting = setTimeout(() => (world.isGivenUp = true), REST);
    await working;
    clearTimeout(waiting);
    for (const agent of agents.slice(0, households.length)) await agent.readAll(REST);
    await Promise.all([...victims.apis, ...victims.projectors].map((one) => one.close()));
    const books = await booksIn(folder);
    const misshown = await misshownIn(folder);
    await history.close();
    const { findings, ...judged } = judge({ history, sightings, harm, books, seconds }, bound);
    return { ...judged, findings: [...findings, ...misshown], history, sightings };
  } finally {
    await Promise.all([...victims.apis, ...victims.projectors].map((one) => one.close()));
    await lines.close();
    if (smallDisk) execFileSync('umount', ['-l', folder]);
    await removeFolder(folder);
  }
};

const householdOf = (traveller: Traveller, token: string): Household => ({
  ...{ traveller, token, mandate: null, renewing: null, granted: [], paid: [], pays: new Map() },
});

/** Over the configured stores, while no process is there. */
const inStores = async <Result>(folder: string, work: (ports: Ports) => Promise<Result>): Promise<Result> => {
  const ports = await openPorts(readConfig({ ...storesOf(folder), ALLOW_CLOCK_AHEAD: 'on' }));
  try {
    return await work(ports);
  } finally {
    await ports.readModelStore.close();
    await ports.documents.close();
    await ports.events.close();
  }
};

/** One process over files, or three APIs and two projectors over servers. */
const start = async (folder: string, environments: readonly Environment[]) => {
  const [first = {}, second = {}, third = {}] = environments;
  if (!areServersUsed()) return { apis: [await Supervised.api('api', folder, first)], projectors: [] };
  const projectors = [
    await Supervised.projector('projector 0', first),
    await Supervised.projector('projector 1', second),
  ];
  const apis: Supervised[] = [];
  for (const [place, one] of [first, second, third].entries())
    apis.push(await Supervised.api(`api ${place}`, folder, one));
  return { apis, projectors };
};

const worldOf = async (
  { apis }: Victims,
  { history, random, ordering }: Pick<World, 'history' | 'random' | 'ordering'>,
): Promise<World> => {
  const origins = apis.map(({ origin }) => origin);
  const date = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const all = await wholeList<Omit<World['flights'][number], 'date'>>(apiAt(origins[0] ?? ''), `/flights?date=${date}`);
  const flights = all.filter(({ flightNumber }) => flightNumber.startsWith('AL1')).map((one) => ({ ...one, date }));
  return { origins, flights, history, random, ordering, isOver: false, isGivenUp: false };
};

const booksIn = (folder: string) =>
  inStores(folder, async ({ events, documents }) => {
    for (const rows of [LEDGER, REFUNDS]) await documents.prepare(rows);
    return readBooks(events, documents);
  });

/** Documents of read models that are not what the events make of them. */
const misshownIn = (folder: string): Promise<readonly string[]> =>
  inStores(folder, async (ports) => {
    const { breaches } = await verifyReadModels(PROJECTIONS, ports, () => undefined);
    return breaches.map(({ stream, message }) => `read model ${stream}: ${message}`);
  });
