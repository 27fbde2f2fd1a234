import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { bookings, bookingsProjection } from '#booking';
import { readConfig } from '#config';
import { type EventToAppend, NO_STREAM } from '#event-store';
import { canonicalJson, money } from '#kernel';
import { ReadModels } from '#read-models';
import { openPorts, type Ports } from '#runtime';
import { side, timed } from './numbers.js';
import { printTable } from './table.js';

const BOOKINGS = 50_000;
/** A booking is created and changed once. */
const EVENTS = 2 * BOOKINGS;
const IN_FLIGHT = 64;
const MEGABYTE = 2 ** 20;
const [TARGET, SAMPLED_EVERY] = [5_000, 250];

const event = (type: string, data: object): EventToAppend => {
  const eventId = randomUUID();
  const metadata = {
    eventId,
    occurredAt: '2026-01-15T12:00:00.000Z',
    actor: { holder: 'ana', clientId: 'pilot' },
    $correlationId: randomUUID(),
    $causationId: '0123456789abcdef',
    schemaVersion: 1,
    hash: 'ab'.repeat(32),
  };
  return { id: eventId, type, data: canonicalJson(data), metadata: canonicalJson(metadata) };
};

const choice = { flightNumber: 'AL4011', fareCode: 'CLASSICA', passengers: 1, total: money(619_90, 'BRL') };
const at = '2026-01-15T12:00:00.000Z';

const booked = (bookingId: string): readonly EventToAppend[] => [
  event('BookingCreated', { bookingId, holder: 'ana', clientId: 'pilot', ...choice, createdAt: at }),
  event('BookingChanged', { ...choice, passengers: 2, changedAt: at }),
];

const fill = ({ events }: Ports): Promise<void> =>
  side(
    IN_FLIGHT,
    Array.from({ length: BOOKINGS }, () => randomUUID()),
    (id) => events.append(bookings.streamOf(id), NO_STREAM, booked(id)),
  );

/** Projects everything from empty; answers how long that took (ms) and the memory (bytes) used on the way. */
const projected = async ({ events, readModelStore, clock }: Ports) => {
  const fail = (_: string, error: unknown): never => {
    throw error;
  };
  const readModels = new ReadModels(events, readModelStore, [bookingsProjection], clock, fail);
  const end = (await events.head())?.position ?? '';
  const memory: number[] = [];
  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    while (!watching.signal.aborted) {
      memory.push(process.memoryUsage().rss);
      await sleep(SAMPLED_EVERY);
    }
  };
  const watched = watch();
  const took = await timed(async () => {
    await readModels.start();
    await readModels.caughtUp(end);
  });
  watching.abort();
  await watched;
  const stored = await readModelStore.count(readModels.collectionOf(bookingsProjection), {
    where: [{ field: 'holder', equals: 'ana' }],
  });
  await readModels.stop();
  if (stored !== BOOKINGS) throw new Error(`${stored} documents of ${BOOKINGS}`);
  return { took, memory };
};

/** How fast a projection is built from empty, on the stores that the environment names, and whether its memory stays flat. */
export const projecting = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'alcada-bench-'));
  const name = `bench-${randomUUID().slice(0, 8)}`;
  const { EVENTSTORE_URL, MONGODB_URL } = process.env;
  const servers = EVENTSTORE_URL && MONGODB_URL ? { EVENTSTORE_URL, MONGODB_URL } : {};
  const own = { DATA_DIR: folder, EVENTSTORE_NAMESPACE: name, MONGODB_DATABASE: `alcada-${name}` };
  const ports = await openPorts(readConfig({ ...own, ...servers }));
  try {
    await fill(ports);
    const { took, memory } = await projected(ports);
    const rate = (EVENTS / took) * 1_000;
    const half = memory.slice(0, Math.ceil(memory.length / 2));
    const inMegabytes = (values: readonly number[]) => (Math.max(...values) / MEGABYTE).toFixed(0);
    printTable(`Projecting ${EVENTS} events from empty (${'EVENTSTORE_URL' in servers ? 'servers' : 'embedded'})`, [
      ['events a second', `${rate.toFixed(0)}   (${rate >= TARGET ? 'within' : 'UNDER'} the ${TARGET} aimed at)`],
      ['memory, first half at most', `${inMegabytes(half)} MB`],
      ['memory, in all at most', `${inMegabytes(memory)} MB`],
    ]);
  } finally {
    await ports.readModelStore.close();
    await ports.documents.close();
    await ports.events.close();
    await rm(folder, { recursive: true, force: true });
  }
};
