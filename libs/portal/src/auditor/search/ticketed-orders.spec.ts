import { Locators } from '#checkout';
import { Aggregates, type EventStore } from '#event-store';
import { RandomIds, systemContext } from '#kernel';
import { ordersProjection } from '#order';
import type { ReadModels } from '#read-models';
import { FixedClock, NOW, withCalls } from '#testing';
import { ticketCode, ticketStock } from '../../../../checkout/src/testing/index.js';
import { MemoryDocuments } from '../../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../../event-store/src/testing/index.js';
import { TicketedOrders } from './ticketed-orders.js';

const NAME = 'orders';
const locators = new Locators(Buffer.alloc(32, 7));
let documents: MemoryDocuments;
let tickets: TicketedOrders;
/** How often orders were looked for. */
let looks = 0;
beforeEach(async () => {
  const clock = new FixedClock();
  const events: EventStore = new MemoryEventStore();
  const aggregates = new Aggregates(events, clock, new RandomIds());
  for (const leaseId of ['one', 'two'])
    await aggregates.handle(ticketStock, 'stock', { leaseId, size: 1_000 }, systemContext(leaseId));
  documents = new MemoryDocuments(clock);
  await documents.prepare({ name: NAME, indexes: ordersProjection.indexes });
  const readModels = { upToDate: () => Promise.resolve(NAME) } as unknown as ReadModels;
  const counted = withCalls(documents, (name, call) => (...args) => {
    if (name === 'find') looks += 1;
    return call(...args);
  });
  tickets = new TicketedOrders(events, counted, readModels, locators);
});

const paid = (id: string, serials: readonly number[], placedAt = NOW): Promise<void> => {
  const [ticket = '', ...more] = serials.map(ticketCode);
  const codes = more.length > 0 ? { ticketCodes: [ticket, ...more] } : {};
  return documents.insert(NAME, id, { holder: 'ana', placedAt, ticketCode: ticket, ...codes });
};
const found = (serials: readonly number[]) => Promise.all(serials.map((serial) => tickets.orderOf(ticketCode(serial))));

it('finds an order by any of its tickets with one look, however many were sold elsewhere since its block was leased', async () => {
  for (let other = 0; other < 600; other += 1) await paid(`other-${other}`, [100_000 + other]);
  looks = 0;
  await paid('late', [41, 42], '2027-01-01T00:00:00.000Z');
  expect(await found([41, 42])).toEqual(['late', 'late']);
  expect(looks).toBe(2);
  expect(await found([43])).toEqual([null]);
  expect(await tickets.orderOf(`R-${ticketCode(41)}`)).toBe('late');
  expect(await tickets.orderOf(locators.of(ticketCode(41)).toLowerCase())).toBe('late');
});

it('finds one whose tickets are of two blocks', async () => {
  await paid('before', [999]);
  await paid('both', [1_000, 1_001]);
  await paid('after', [1_002]);
  await paid('placed later, of the first block', [998]);
  expect(await found([1_000, 1_001, 1_002, 2_001])).toEqual(['both', 'both', 'after', null]);
});
