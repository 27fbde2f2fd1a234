import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import { EmbeddedDocuments, openMongoDocuments, type ReadModelStore } from '#documents';
import { nextTurn, RandomIds, systemContext } from '#kernel';
import { FixedClock, ownFolders } from '#testing';
import { Aggregates } from './aggregates.js';
import { EmbeddedEventStore } from './event-store.embedded.js';
import { EventStoreDb } from './event-store.eventstoredb.js';
import type { EventStore } from './event-store.port.js';
import { SNAPSHOTS, Snapshots } from './snapshots.js';
import { upTo } from './testing/sample-events.js';
import { seats, type SeatsCommand } from './testing/seats.js';
import { UnreliableStore } from './testing/unreliable-store.js';

const newFolder = ownFolders();
const { EVENTSTORE_URL, MONGODB_URL } = process.env;
const clock = new FixedClock();
const context = systemContext('a test');
const KEY = Buffer.alloc(32, 1);

let folder = '';
let log: EventStore;
let documents: ReadModelStore;
let flight = '';
let errors: unknown[] = [];

beforeEach(async () => {
  folder = newFolder();
  flight = randomUUID();
  errors = [];
  documents = MONGODB_URL
    ? await openMongoDocuments({ url: MONGODB_URL, database: `alcada-t-${flight.slice(0, 8)}`, clock })
    : await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  log = await newLog();
  await documents.prepare(SNAPSHOTS);
});
afterEach(async () => {
  await documents.drop(SNAPSHOTS.name).catch(() => undefined); // a case may have closed them
  await Promise.all([documents.close(), log.close()]);
});

/** An empty log, on the server that the environment names or in a file. */
const newLog = async (): Promise<EventStore> =>
  EVENTSTORE_URL && MONGODB_URL
    ? EventStoreDb.open({ url: EVENTSTORE_URL, namespace: `t-${randomUUID().slice(0, 8)}` })
    : EmbeddedEventStore.open({ file: join(folder, `${randomUUID()}.db`) });

const newProcess = ({ key = KEY, type = seats, store = log, kept = documents } = {}) => {
  const line = new UnreliableStore(store);
  const ofThisCase = errors; // a snapshot may be written after its case
  const snapshots = new Snapshots(kept, clock, key, (_, error) => ofThisCase.push(error));
  const aggregates = new Aggregates(line, clock, new RandomIds(), { snapshots, patience: 60_000 });
  return {
    line,
    handle: (command: SeatsCommand) => aggregates.handle(type, flight, command, context),
    load: () => aggregates.load(type, flight),
  };
};

/** Events 0 to 1,000 of the flight, of which `free` seats remain. */
const longLife = async ({ handle }: Pick<ReturnType<typeof newProcess>, 'handle'>, free = 9): Promise<void> => {
  await handle({ type: 'Schedule', seats: free });
  await Promise.all(upTo(1_000).map((n) => handle(n % 2 ? release('a') : hold('a'))));
};
const hold = (orderId: string): SeatsCommand => ({ type: 'Hold', orderId, seats: 1 });
const release = (orderId: string): SeatsCommand => ({ type: 'Release', orderId });

const snapshot = () => documents.get<{ readonly revision: number }>(SNAPSHOTS.name, seats.streamOf(flight));

/** Resolves once the snapshot stands at a revision: nobody else waits for that. */
const written = async (revision: number): Promise<void> => {
  while ((await snapshot())?.body.revision !== revision) await nextTurn();
};

describe('a snapshot (rule 15)', () => {
  it('stands for the first thousand events, of which only the last is read again', async () => {
    const writer = newProcess();
    await longLife(writer);
    await written(1_000);
    await writer.handle(hold('b'));
    const reader = newProcess();
    expect(await reader.load()).toEqual(await writer.load());
    expect(reader.line.readFrom).toEqual([1_000]);
    expect((await reader.handle(hold('c'))).state).toEqual({ free: 7, held: { b: 1, c: 1 } });
    await documents.insert(SNAPSHOTS.name, 'after all that was written', {});
    expect((await snapshot())?.body.revision).toBe(1_000);
    expect(errors).toEqual([]);
  });

  it('is not written for streams that are short, or do not ask for one', async () => {
    const type = { ...seats, snapshotVersion: null };
    await longLife(newProcess({ type }));
    const reader = newProcess({ type });
    expect((await reader.load()).revision).toBe(1_000);
    expect(reader.line.readFrom).toEqual([0]);
    expect(await snapshot()).toBeNull();
  });

  it('may be deleted at any time, and is written again by who had to read a thousand events', async () => {
    await longLife(newProcess());
    await written(1_000);
    await documents.delete(SNAPSHOTS.name, seats.streamOf(flight));
    const reader = newProcess();
    expect((await reader.load()).state.free).toBe(9);
    expect(reader.line.readFrom).toEqual([0]);
    await written(1_000);
  });

  it('is not believed where the stream has another event at its revision, as after another log was restored', async () => {
    await longLife(newProcess());
    await written(1_000);
    const other = await newLog();
    try {
      await longLife(newProcess({ store: other, type: { ...seats, snapshotVersion: null } }), 5);
      const reader = newProcess({ store: other });
      expect((await reader.load()).state.free).toBe(5);
      expect(reader.line.readFrom).toEqual([1_000, 0]);
    } finally {
      await other.close();
    }
  });

  it('is not believed where the stream does not reach so far', async () => {
    await longLife(newProcess());
    await written(1_000);
    const other = await newLog();
    try {
      const reader = newProcess({ store: other });
      expect((await reader.load()).revision).toBe(-1);
      expect((await reader.handle({ type: 'Schedule', seats: 3 })).state.free).toBe(3);
    } finally {
      await other.close();
    }
  });

  it('is not believed where somebody else changed it', async () => {
    await longLife(newProcess());
    await written(1_000);
    const found = await snapshot();
    const forged = { ...found?.body, state: JSON.stringify({ free: 1_000, held: {} }) };
    await documents.replace(SNAPSHOTS.name, seats.streamOf(flight), found?.version ?? 0, forged);
    expect((await newProcess().load()).state.free).toBe(9);
    expect(errors).toEqual([new Error('the snapshot was not written with this key')]);
  });

  it('is not read by a program that folds the stream in another way', async () => {
    await longLife(newProcess());
    await written(1_000);
    const newer = newProcess({ type: { ...seats, snapshotVersion: 2 } });
    expect((await newer.load()).state.free).toBe(9);
    expect(newer.line.readFrom).toEqual([0]);
    expect(errors).toEqual([]);
  });

  it('is done without where documents cannot be read or written', async () => {
    await documents.close();
    const writer = newProcess();
    await longLife(writer);
    expect((await writer.handle(hold('b'))).state.free).toBe(8);
    expect((await newProcess().load()).state).toEqual({ free: 8, held: { b: 1 } });
    while (errors.length < 3) await nextTurn(); // one read each, and one write
  });
});
