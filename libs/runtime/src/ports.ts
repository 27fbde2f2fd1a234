import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, masked, type Servers } from '#config';
import { type Documents, EmbeddedDocuments, openMongoDocuments, type ReadModelStore } from '#documents';
import { EmbeddedEventStore, type EventStore, openEventStoreDb } from '#event-store';
import { type Clock, type Ids, type Instant, plus, RandomIds, SystemClock, Unavailable } from '#kernel';
import type { Projecting } from '#read-models';
import { UnusableFile } from '#sqlite';
import { GrowingInThread, type TreeGrowing } from '#transparency';
import { folderMarkIn, refuseMarked } from './folder-mark.js';
import { refuseMixed } from './mixed-data.js';
import { projectInThread } from './project-in-thread.js';
import { type Checking, checkInThread, refuseDamaged } from './stored-form.js';

/** The ports whose adapters depend on how the program is run. Everything else is built on them. */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: EventStore;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  /** Keeps read models up with the log in a thread of their own, where the stores are files; null: the process itself does. */
  readonly projecting: Projecting | null;
  /** Builds the tree of the transparency log in that thread, by the key of its pseudonyms; null: whoever seals does. */
  readonly growing: ((secret: Uint8Array) => TreeGrowing) | null;
  /** Reads, where the stores are files, those that are too large to be read before the start is over; null: servers look themselves. */
  readonly checking: Checking | null;
}

/** Opens the stores that are configured, all or none. @throws what `OPERATOR_ERRORS` names */
export const openPorts = (config: Config): Promise<Ports> =>
  config.servers === null ? openEmbeddedPorts(config) : openServerPorts(config, config.servers, START);

/** Opens the embedded stores in the data folder, which one process has to itself. @throws UnusableFile, ClockBehindLog */
export const openEmbeddedPorts = (config: Config): Promise<Ports> =>
  openingAll(async (opened) => {
    const clock = new SystemClock();
    const { dataDir } = config;
    const log = join(dataDir, 'events.db');
    refuseMarked(dataDir); // opening a backup to write would change it
    const events = opened(await EmbeddedEventStore.open({ file: log }));
    refuseDamaged(dataDir, 'events.db');
    await startAtHead(clock, events, config);
    const documents = opened(
      await EmbeddedDocuments.open({ file: join(dataDir, 'documents.db'), durability: 'full', clock }),
    );
    refuseDamaged(dataDir, 'documents.db');
    refuseMarked(dataDir);
    const readModelStore = opened(
      await EmbeddedDocuments.open({ file: join(dataDir, 'read-models.db'), durability: 'normal', clock }),
    );
    refuseDamaged(dataDir, 'read-models.db');
    if (!config.allowsMixedData) refuseMixed(dataDir);
    const projecting = projectInThread(readModelStore, events, log, clock);
    const growing = (secret: Uint8Array) => new GrowingInThread(readModelStore, { log, secret });
    const checking = checkInThread(readModelStore, dataDir);
    return { clock, ids: new RandomIds(), events, documents, readModelStore, projecting, growing, checking };
  });

class ClockAt extends SystemClock {
  constructor(private readonly instant: Instant) {
    super();
  }

  override now(): Instant {
    return this.instant;
  }
}

/** Opens the stores to read, files without a lock; nothing of read models expires after the log's end. @throws as `openPorts` */
export const openPortsToRead = (config: Config): Promise<Ports> => {
  if (config.servers !== null) return openServerPorts(config, config.servers, LOOK);
  const file = (name: string) => join(config.dataDir, name);
  return openingAll(async (opened) => {
    const clock = new SystemClock();
    const events = opened(await EmbeddedEventStore.openToRead(file('events.db')));
    await startAtHead(clock, events, config);
    const documents = opened(await EmbeddedDocuments.openToRead(file('documents.db'), clock));
    // It has no read models, and no start would build them.
    if (folderMarkIn(config.dataDir)?.kind === 'backup') refuseMarked(config.dataDir);
    const then = new ClockAt((await events.head())?.metadata.occurredAt ?? clock.now());
    const readModelStore = opened(await EmbeddedDocuments.openToRead(file('read-models.db'), then));
    return {
      clock,
      ids: new RandomIds(),
      events,
      documents,
      readModelStore,
      projecting: null,
      growing: null,
      checking: null,
    };
  });
};

/** What servers are opened for, and how long (ms) they may take to answer: a start waits for those that start too. */
const [START, LOOK] = [
  { isToRead: false, patience: 30_000 },
  { isToRead: true, patience: 10_000 },
] as const;

/** Opens EventStoreDB and MongoDB once both answer. Documents and read models lie in one database. */
const openServerPorts = (
  config: Config,
  { eventStore, mongodb }: Servers,
  { isToRead, patience }: typeof START | typeof LOOK,
): Promise<Ports> =>
  openingAll(async (opened) => {
    const clock = new SystemClock();
    const events = opened(await openEventStoreDb({ url: eventStore.url, namespace: eventStore.namespace ?? '' }));
    const answer = () => startAtHead(clock, events, config);
    const log = 'EVENTSTORE_URL: the event store';
    await announced(clock, log, () => retryUntilAvailable(clock, log, answer, patience));
    const openDocuments = () => openMongoDocuments({ ...mongodb, clock, patience, isToRead });
    const documents = opened(await announced(clock, 'MONGODB_URL: MongoDB', openDocuments));
    return {
      clock,
      ids: new RandomIds(),
      events,
      documents,
      readModelStore: documents,
      projecting: null,
      growing: null,
      checking: null,
    };
  });

/** How far (ms) the log may be ahead of this machine's clock: as far as clocks that are kept may differ. */
const MAX_AHEAD = 300_000;

/** The log ends in the future. The message says by how much, for the operator. */
export class ClockBehindLog extends Error {
  override readonly name = 'ClockBehindLog';
}

/** Starts the clock at the log's end at the earliest (rule 16). @throws ClockBehindLog, unless the operator allows it */
const startAtHead = async (clock: SystemClock, events: EventStore, { allowsClockAhead }: Config): Promise<void> => {
  const head = await events.head();
  if (!head) return;
  const { occurredAt } = head.metadata;
  const now = clock.now();
  if (!allowsClockAhead && occurredAt > plus(now, MAX_AHEAD)) {
    throw new ClockBehindLog(
      `the log ends at ${occurredAt}, and this machine's clock shows ${now}: correct the clock. If it is right, the log was ` +
        'written by a wrong one: ALLOW_CLOCK_AHEAD=on starts all the same, and time goes on from the end of the log',
    );
  }
  clock.startAt(occurredAt);
};

type Closable = { readonly close: () => Promise<void> };

const openingAll = async <Result>(
  open: (opened: <Store extends Closable>(store: Store) => Store) => Promise<Result>,
): Promise<Result> => {
  const stores: Closable[] = [];
  try {
    return await open((store) => {
      stores.unshift(store);
      return store;
    });
  } catch (error) {
    await closeAll(stores).catch(() => undefined); // why it could not be opened matters more
    throw error;
  }
};

/** Closes the stores, the event log last: what still runs may append to it. */
export const closePorts = ({ readModelStore, documents, events }: Ports): Promise<void> =>
  closeAll([readModelStore, documents, events]);

/** Closes stores in their order, each also where the one before it cannot be closed. */
const closeAll = async ([first, ...others]: readonly Closable[]): Promise<void> => {
  try {
    await first?.close();
  } finally {
    if (others.length > 0) await closeAll(others);
  }
};

/** What the mode of a file lets everybody do but its owner. */
const OTHERS = 0o077;

/** Warns of a folder that others may change, once its stores are open. @throws UnusableFile in production */
export const checkFolder = ({ dataDir, servers, production }: Config, warn: (message: string) => void): void => {
  if (servers !== null) return;
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return;
  const message = `${dataDir} is open to other users: give DATA_DIR a folder of its own, or run chmod 700 on this one`;
  if (production) throw new UnusableFile(message);
  warn(message);
};

/** Where the data are, for people: a folder, or servers without their credentials. */
export const storePlaces = ({
  dataDir,
  servers,
}: Pick<Config, 'dataDir' | 'servers'>): readonly (readonly [label: string, place: string])[] =>
  servers === null
    ? [['Data', dataDir]]
    : [
        ['Event log', masked(servers.eventStore.url)],
        ['Documents', masked(servers.mongodb.url)],
      ];

export const storeLines = (config: Pick<Config, 'dataDir' | 'servers'>): readonly string[] =>
  storePlaces(config).map(([label, place]) => `  ${label.padEnd(16)}${place}`);

/** How often (ms) a store is tried that does not answer. */
const RETRY_AFTER = 500;

/** A store did not answer while a start waited for it. The message is for the operator. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';
}

/** After how long (ms) a process that starts prints what it waits for. */
const PRINT_AFTER = 2_000;

/** Does `work`, and says on standard error that it waits for `store` where that takes long. */
export const announced = async <Result>(
  clock: Clock,
  store: string,
  work: () => Promise<Result>,
  print = (line: string): void => void process.stderr.write(line),
): Promise<Result> => {
  const cancel = clock.after(PRINT_AFTER, () => print(`Waits for ${store}\n`));
  return work().finally(cancel);
};

/** Runs `work` until it succeeds, while `store` alone is unavailable, for up to `patience` ms. @throws StoreUnreachable */
export const retryUntilAvailable = async <Result>(
  clock: Clock,
  store: string,
  work: () => Promise<Result>,
  patience: number = START.patience,
): Promise<Result> => {
  for (const until = clock.monotonic() + patience; ;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (clock.monotonic() > until) {
        const message = `${store} did not answer for ${patience / 1_000} s: ${error.message}`;
        throw new StoreUnreachable(message, { cause: error });
      }
    }
    await clock.sleep(RETRY_AFTER);
  }
};
