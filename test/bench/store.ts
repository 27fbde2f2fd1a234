import process from 'node:process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryEvent, EventStoreDBClient, NO_STREAM as RAW_NO_STREAM } from '@eventstore/db-client';
import {
  type Checkpoint,
  EmbeddedEventStore,
  type EventStore,
  openEventStoreDb,
  type EventToAppend,
} from '#event-store';
import { appends, IN_FLIGHT, through } from './appends.js';
import { byTurns, median, timed } from './numbers.js';
import { projecting } from './projecting.js';
import { printTable, type Row } from './table.js';
import { flights } from '#catalog';

const WARM_UP = 10_000;
/** Appends of one event that are timed together, and how often. */
const [APPENDS, PAIRS] = [2_000, 9];
const TARGETS = { append: 0.8, read: 0.6 } as const;

/** Reads everything after a checkpoint and decodes it; answers how many events there were. */
const decoded = async (store: EventStore, after: Checkpoint | null): Promise<number> => {
  let count = 0;
  for await (const stored of store.readAll(after)) {
    flights.decode(stored);
    count += 1;
  }
  return count;
};

const perSecond = (count: number, milliseconds: number): string =>
  `${((count / milliseconds) * 1_000).toFixed(0)} events/s`;

const compared = (
  what: string,
  count: number,
  ours: readonly number[],
  raw: readonly number[],
  target: number,
): Row => {
  const ratio = median(raw) / median(ours);
  const verdict = ratio >= target ? 'within' : 'UNDER';
  const figures = `${perSecond(count, median(ours))} against ${perSecond(count, median(raw))} of the bare client`;
  return [what, `${ratio.toFixed(2)} ×   (${figures}; ${verdict} the ${target} × aimed at)`];
};

const againstServer = async (url: string): Promise<void> => {
  const store = await openEventStoreDb({ url, namespace: `bench-${randomUUID().slice(0, 8)}` });
  const client = EventStoreDBClient.connectionString(url);
  const rawStreams = `bench-raw-${randomUUID().slice(0, 8)}.`;
  const bytes = ({ id, type, data, metadata }: EventToAppend) =>
    binaryEvent({ id, type, data: Buffer.from(data), metadata: Buffer.from(metadata) });
  const raw = (stream: string, sent: EventToAppend) =>
    client.appendToStream(rawStreams + stream, bytes(sent), {
      expectedRevision: RAW_NO_STREAM,
    });
  const start = await endOf(store);
  await appends(WARM_UP / 2, through(store));
  await appends(WARM_UP / 2, raw);
  const appending = await byTurns(
    PAIRS,
    () => appends(APPENDS, through(store)),
    () => appends(APPENDS, raw),
  );

  // Only ours from here on, so that both read the same.
  const after = await endOf(store);
  await appends(WARM_UP, through(store));
  const [commit = '0', prepare = '0'] = after.token.split('/');
  const fromPosition = { commit: BigInt(commit), prepare: BigInt(prepare) };
  const count = await decoded(store, after);
  const bare = async () => {
    let found = 0;
    for await (const { event: read } of client.readAll({ fromPosition })) if (read) found += 1;
    if (found < count) throw new Error('the bare client reads less');
  };
  const reading = await byTurns(PAIRS, () => decoded(store, after), bare);
  printTable(`EventStoreDB, from ${start.position} on`, [
    compared(`append, ${IN_FLIGHT} in flight`, APPENDS, appending.one, appending.other, TARGETS.append),
    compared('readAll, through the decoder', count, reading.one, reading.other, TARGETS.read),
  ]);
  await Promise.all([store.close(), client.dispose()]);
};

/** A checkpoint at the end of the log: what a subscription to nothing says first. */
const endOf = async (store: EventStore): Promise<Checkpoint> => {
  const over = new AbortController();
  for await (const { checkpoint } of store.subscribe({ after: null, categories: ['none'], signal: over.signal })) {
    return checkpoint;
  }
  throw new Error('the subscription ended');
};

const embedded = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'alcada-bench-'));
  const store = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  try {
    await appends(WARM_UP, through(store));
    const appending: number[] = [];
    const reading: number[] = [];
    for (let round = 0; round < PAIRS; round += 1) appending.push(await timed(() => appends(APPENDS, through(store))));
    const count = await decoded(store, null);
    for (let round = 0; round < PAIRS; round += 1) reading.push(await timed(() => decoded(store, null)));
    printTable('The embedded event log', [
      [`append, ${IN_FLIGHT} in flight`, perSecond(APPENDS, median(appending))],
      ['readAll, through the decoder', perSecond(count, median(reading))],
    ]);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** What the event log's port costs against the bare client of EVENTSTORE_URL, and how fast a projection is built. */
export const store = async (): Promise<void> => {
  const url = process.env['EVENTSTORE_URL'];
  await (url ? againstServer(url) : embedded());
  await projecting();
};
