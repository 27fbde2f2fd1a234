import { EventStore, type StoredEvent } from '#event-store';
import { systemContext } from '#kernel';
import { mandates } from '../mandate.decider.js';
import { GrantedAgent } from '../testing/granted.js';
import { type HistoryLine, MandateLines } from './mandate-lines.js';

/** More than lie between two marks, several times; two events each, after the one that opens the mandate. */
const ORDERS = 350;
const COUNT = 2 * ORDERS + 1;

let agent: GrantedAgent;
let mandateId: string;
const orders: string[] = [];
beforeAll(async () => {
  agent = await new GrantedAgent().letIn();
  mandateId = await agent.open(1_000_00);
  for (let order = 0; order < ORDERS; order += 1) orders.push(await agent.charge(mandateId, 1_00));
});

let read = 0;
let lines: MandateLines;
beforeEach(() => {
  const counted = Object.create(agent.events, {
    readStream: {
      value: async function* (stream: string, from?: number): AsyncGenerator<StoredEvent> {
        for await (const event of agent.events.readStream(stream, from)) {
          read += 1;
          yield event;
        }
      },
    },
  }) as EventStore;
  lines = new MandateLines(counted, agent.clock);
});
const readFor = async (reading: () => Promise<unknown>): Promise<number> => {
  read = 0;
  await reading();
  return read;
};

it('a long life is read whole once: a page of a statement costs no more than two hundred events and itself', async () => {
  expect(await readFor(() => lines.from(mandateId, 0, 20))).toBeLessThanOrEqual(COUNT + 20);
  for (const from of [0, 190, 395, COUNT - 10])
    expect(await readFor(() => lines.from(mandateId, from, 20))).toBeLessThanOrEqual(220);
});

it('a page of a history costs no more than the events between its marks', async () => {
  await lines.byOrder(mandateId, Infinity, 20);
  for (const before of [Infinity, COUNT - 200, 100])
    expect(await readFor(() => lines.byOrder(mandateId, before, 20))).toBeLessThanOrEqual(400);
});

it('lines come in order, each chained to the one before it, wherever a page begins', async () => {
  const pages: HistoryLine[] = [];
  for (let from = 0; from < COUNT; from += 90) {
    const { lines: page, count } = await lines.from(mandateId, from, 90);
    expect(count).toBe(COUNT);
    pages.push(...page.map(({ line }) => line));
  }
  expect(pages.map(({ revision }) => revision)).toEqual(Array.from({ length: COUNT }, (_, revision) => revision));
  expect(pages.slice(1).map(({ previousHash }) => previousHash)).toEqual(pages.slice(0, -1).map(({ hash }) => hash));
  expect(pages.at(-1)?.remaining.amount).toBe((1_000 - ORDERS) * 100);
});

it('what has come since is there, with what there was of its order', async () => {
  const other = await new GrantedAgent().letIn();
  const shortLived = await other.open(10_00);
  const own = new MandateLines(other.events, other.clock);
  expect((await own.byOrder(shortLived, Infinity, 5)).entries).toHaveLength(1);
  const order = await other.reserve(shortLived, 1_00);
  expect((await own.byOrder(shortLived, Infinity, 5)).entries).toHaveLength(2);
  await other.aggregates.handle(mandates, shortLived, { type: 'Consume', orderId: order }, systemContext('a test'));
  const { entries, isAll } = await own.byOrder(shortLived, Infinity, 1);
  expect(entries.map((entry) => entry.map(({ orderId, type }) => [orderId, type]))).toEqual([
    [
      [order, 'MandateConsumed'],
      [order, 'MandateReserved'],
    ],
  ]);
  expect(isAll).toBe(false);
});

it('two who ask at once for what nobody has read yet see the same', async () => {
  const [one, other] = await Promise.all([lines.from(mandateId, 300, 5), lines.from(mandateId, 300, 5)]);
  expect(one.lines).toHaveLength(5);
  expect(other).toEqual(one);
});
