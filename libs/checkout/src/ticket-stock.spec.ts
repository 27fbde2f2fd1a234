import { Aggregates } from '#event-store';
import type { TicketStockEvent } from '#events';
import { RandomIds } from '#kernel';
import { FixedClock, NOW, scenarios } from '#testing';
import { MemoryEventStore } from '../../event-store/src/testing/index.js';
import { ticketCode, ticketStock, TicketStock, ticketStockDecider } from './ticket-stock.js';

let log: MemoryEventStore;
beforeEach(() => {
  log = new MemoryEventStore();
});

/** A stock as a process of its own has it. */
const stock = () => new TicketStock(new Aggregates(log, new FixedClock(), new RandomIds()), new RandomIds());
const drawAtOnce = (from: readonly TicketStock[], count: number): Promise<string[]> =>
  Promise.all(from.flatMap((each) => Array.from({ length: count }, () => each.draw())));
const leases = async (): Promise<number> => {
  let count = 0;
  for await (const _ of log.readAll(null)) count += 1;
  return count;
};

describe('a stock of ticket codes (rule 22)', () => {
  it('gives 20 that are drawn at once 20 codes, of one block', async () => {
    expect(new Set(await drawAtOnce([stock()], 20)).size).toBe(20);
    expect(await leases()).toBe(1);
  });

  it('never gives a code that another stock on the same log gives, though both lease at once', async () => {
    const codes = await drawAtOnce([stock(), stock(), stock()], 20);
    expect(new Set(codes).size).toBe(60);
    expect(await leases()).toBe(3);
  });

  it('leases another block when one is used up', async () => {
    const one = stock();
    const codes = await drawAtOnce([one], 1_000);
    expect(await leases()).toBe(1);
    codes.push(await one.draw());
    expect(new Set(codes).size).toBe(1_001);
    expect(await leases()).toBe(2);
  });

  it('loses what is left of a block, and uses none of it twice, when its process is gone', async () => {
    const before = await stock().draw();
    const after = await stock().draw();
    expect([before, after]).toEqual([ticketCode(1), ticketCode(1_001)]);
  });
});

describe('the log of the stock', () => {
  const given = scenarios(ticketStockDecider);
  const leased = (first: number, last: number): TicketStockEvent => ({
    type: 'TicketBlockLeased',
    data: { leaseId: 'p1', first, last, leasedAt: NOW },
  });

  it('leases one block after the other, none of it twice', () => {
    expect(ticketStock.streamOf('stock')).toBe('ticket-stock');
    given().when({ leaseId: 'p1', size: 1_000 }).then(leased(1, 1_000));
    given(leased(1, 1_000)).when({ leaseId: 'p1', size: 10 }).then(leased(1_001, 1_010));
  });
});

describe('a ticket code (rule 22)', () => {
  it.each([
    [1, '9770000000014'],
    [7, '9770000000073'],
    [999_999_999, '9779999999991'],
  ])('of the serial %i is %s: airline, serial, and the twelve digits modulo 7', (serial, code) => {
    expect(Number(code.slice(0, 12)) % 7).toBe(Number(code.slice(12)));
    expect(ticketCode(serial)).toBe(code);
  });
});
