import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#config';
import type { StoredEvent } from '#event-store';
import { ordersProjection } from '#order/pure';
import { LEDGER } from '#checkout';
import { closePorts, openPortsToRead, type Ports } from '#runtime';
import { alcada } from '../support/alcada.js';
import { agentAt, apiAt } from '../support/agent.js';
import type { Order } from '../support/answers.js';
import { book, buy, grant, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { type Environment, LATER, ownFolder, settled, startService } from '../support/service.js';
import { areServersUsed } from '../support/stores.js';

/** The collection of the orders, where it was never rebuilt. */
const ORDERS = `orders-v${ordersProjection.version}-1`;

/** Leads to a folder and nowhere else, also where the service is on servers. */
const inFolder = (from: string): Environment => ({ DATA_DIR: from, EVENTSTORE_URL: '', MONGODB_URL: '' });

const folder = ownFolder();
let past: string;
let then: StoredEvent;
let order: Order;
let log: readonly StoredEvent[];
let countThen: number;
let seatsThen: unknown;
let ended: Awaited<ReturnType<typeof alcada>>;

const seatsAt = async (origin: string): Promise<unknown> =>
  (await apiAt(origin).get<{ readonly seats: number }>(`/flights/${TRIP.flightNumber}`)).body.seats;

const whole = async ({ events }: Pick<Ports, 'events'>): Promise<readonly StoredEvent[]> => {
  const all: StoredEvent[] = [];
  for await (const event of events.readAll(null)) all.push(event);
  return all;
};

/** An event as it is on every store: the copy counts its places anew. */
const withoutPlace = ({ position: _, ...event }: StoredEvent) => event;

const reading = async <Result>(from: string, work: (ports: Ports) => Promise<Result>): Promise<Result> => {
  const ports = await openPortsToRead(readConfig({ ...inFolder(from), ...LATER }));
  return work(ports).finally(() => closePorts(ports));
};

/** One order, then the moment that is asked for, then another one; it is replayed beside the running service. */
beforeAll(async () => {
  past = join(folder, 'past');
  const service = await startService(folder);
  const ana = await agentAt(service.origin);
  const mandate = await grant(ana, 3 * TRIP_PRICE);
  order = await buy(ana, await book(ana), mandate);
  await settled(service);
  const head = await service.dependencies.events.head();
  if (!head) throw new Error('nothing happened');
  then = head;
  seatsThen = await seatsAt(service.origin);
  await buy(ana, await book(ana), mandate);
  log = await whole(service.dependencies);
  countThen = log.findIndex(({ position }) => position === then.position) + 1;
  ended = await alcada(folder, ['replay', '--to', BigInt(then.position).toString(), '--into', past, '--json']);
  await service.stop();
});

describe('alcada replay', () => {
  it('says how far it went', () => {
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Building the read models: 100 %') });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      position: then.position,
      occurredAt: then.metadata.occurredAt,
      into: past,
      events: countThen,
    });
  });

  it('makes a folder with the log up to there, byte for byte, its read models, and the ledger of its orders', async () => {
    const { events, orders, rows } = await reading(past, async (ports) => {
      await ports.readModelStore.prepare({ name: ORDERS, indexes: [] });
      await ports.documents.prepare(LEDGER);
      return {
        events: await whole(ports),
        orders: await ports.readModelStore.scan<{ readonly kind: string }>(ORDERS, null, 10),
        rows: await ports.documents.scan<{ readonly status: string }>(LEDGER.name, null, 10),
      };
    });
    expect(events.map(withoutPlace)).toEqual(log.slice(0, countThen).map(withoutPlace));
    const paid = orders.filter(({ body }) => body.kind !== 'month');
    expect(paid).toMatchObject([{ id: order.id, body: { kind: 'paid' } }]);
    expect(orders.find(({ body }) => body.kind === 'month')?.body).toMatchObject({ orders: 1 });
    expect(rows).toMatchObject([{ id: order.id, body: { status: 'captured' } }]);
    const { stdout } = await alcada(past, ['rebuild', 'list', '--json'], { environment: inFolder(past) });
    for (const one of JSON.parse(stdout) as readonly { readonly lag: unknown }[])
      expect(one.lag).toEqual({ distance: 0, seconds: 0 });
  });

  it('goes by the time, too, and tells a person', async () => {
    const byTime = join(folder, 'by-time');
    const { code, stdout } = await alcada(folder, ['replay', '--to', then.metadata.occurredAt, '--into', byTime]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Replayed up to position \d+: \w+ in \S+, \S+Z\.\n {2}into {9}\S+by-time\n {2}events {7}\d+\n/,
    );
    const { length } = await reading(byTime, whole);
    expect(log[length - 1]?.metadata.occurredAt).toBe(then.metadata.occurredAt);
    expect(log[length]?.metadata.occurredAt).not.toBe(then.metadata.occurredAt);
  });

  it('makes a folder on which the service starts and shows what was', async () => {
    const service = await startService(past, inFolder(past));
    expect(await seatsAt(service.origin)).toBe(seatsThen);
    await service.stop();
  });

  it.each([
    ['a place past the end', ['--to', '9'.repeat(18)], 1, 'the log ends at position '],
    ['a time before the beginning', ['--to', '2001-01-01T00:00:00Z'], 1, 'the log begins after 2001'],
    ['what is neither', ['--to', 'yesterday'], 1, 'give a position of the log, or an instant'],
    ['no place', [], 2, "required option '--to <position>' not specified"],
  ])('refuses %s', async (_, args, code, why) => {
    const all = args.includes('--into') ? args : [...args, '--into', join(folder, 'refused')];
    expect(await alcada(folder, ['replay', ...all])).toMatchObject({ code, stderr: expect.stringContaining(why) });
  });

  it("makes a database beside the service's own, which must be empty, and needs a server for it", async () => {
    const into = ['replay', '--to', then.metadata.occurredAt, '--into', `mongodb:past-${randomUUID()}`];
    const made = await alcada(folder, into);
    if (!areServersUsed()) {
      expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining('without MONGODB_URL') });
      return;
    }
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('read models  ') });
    expect(await alcada(folder, into)).toMatchObject({ code: 78, stderr: expect.stringContaining('is not empty') });
  });

  it('refuses a folder that has anything in it, and one without data to read', async () => {
    await mkdir(join(folder, 'taken'));
    await writeFile(join(folder, 'taken', 'notes.txt'), '');
    const taken = await alcada(folder, ['replay', '--to', '1', '--into', join(folder, 'taken')]);
    expect(taken).toMatchObject({ code: 78, stderr: expect.stringContaining('is not empty') });
    const none = join(folder, 'none');
    const args = ['replay', '--to', '1', '--into', join(folder, 'refused')];
    const nowhere = await alcada(none, args, { environment: inFolder(none) });
    expect(nowhere).toMatchObject({ code: 78, stderr: expect.stringContaining('is DATA_DIR right?') });
  });
});
