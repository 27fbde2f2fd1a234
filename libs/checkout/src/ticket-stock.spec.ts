import { Aggregates } from '#event-store';
import type { TicketStockEvent } from '#events';
import { RandomIds } from '#kernel';
import { FixedClock, NOW, scenarios } from '#testing';
import { MemoryEventStore } from '../../event-store/src/testing/index.js';
import {
  isTicketCode,
  Locators,
  ticketCode,
  ticketLeasedAt,
  ticketStock,
  TicketStock,
  ticketStockDecider,
} from './ticket-stock.js';

let log: MemoryEventStore;
beforeEach(() => {
  log = new MemoryEventStore();
});

const stock = () => new TicketStock(new Aggregates(log, new FixedClock(), new RandomIds()), new RandomIds());
const drawn = async (from: TicketStock): Promise<string> => (await from.drawFor(1))[0];
const drawAtOnce = (from: readonly TicketStock[], count: number): Promise<string[]> =>
  Promise.all(from.flatMap((each) => Array.from({ length: count }, () => drawn(each))));
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

  it('gives each passenger of an order a code, and all of them again once they are put back', async () => {
    const one = stock();
    const codes = await one.drawFor(3);
    expect(codes).toEqual([1, 2, 3].map(ticketCode));
    one.putBack(codes);
    expect(new Set(await one.drawFor(4))).toEqual(new Set([1, 2, 3, 4].map(ticketCode)));
  });

  it('leases another block when one is used up', async () => {
    const one = stock();
    const codes = await drawAtOnce([one], 1_000);
    expect(await leases()).toBe(1);
    codes.push(await drawn(one));
    expect(new Set(codes).size).toBe(1_001);
    expect(await leases()).toBe(2);
  });

  it('loses what is left of a block, and uses none of it twice, when its process is gone', async () => {
    const before = await drawn(stock());
    const after = await drawn(stock());
    expect([before, after]).toEqual([ticketCode(1), ticketCode(1_001)]);
  });
});

it('says when the block of a code was leased, and of which code there was none', async () => {
  await drawn(stock());
  const leasedAt = await Promise.all([1, 1_000, 1_001].map((serial) => ticketLeasedAt(log, ticketCode(serial))));
  expect(leasedAt).toEqual([NOW, NOW, null]);
  expect(['9770000000014', '9770000000015', '977000000001', '8880000000014'].map(isTicketCode)).toEqual([
    true,
    false,
    false,
    false,
  ]);
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

describe('a locator (rule 22)', () => {
  const [one, other] = [new Locators(new Uint8Array(32).fill(1)), new Locators(new Uint8Array(32).fill(2))];

  it('is of six characters that are not mixed up, and the same whoever makes it with the same key', () => {
    const again = new Locators(new Uint8Array(32).fill(1));
    for (const serial of [1, 2, 999_999_999]) {
      const locator = one.of(ticketCode(serial));
      expect(locator).toMatch(/^[2-9A-HJ-NP-Z]{6}$/);
      expect([again.of(ticketCode(serial)), other.of(ticketCode(serial)) === locator]).toEqual([locator, false]);
      expect([one.ticketOf(locator), other.ticketOf(locator) === ticketCode(serial)]).toEqual([
        ticketCode(serial),
        false,
      ]);
    }
  });

  it('is of one order alone, and does not say how many there were before', () => {
    const serials = [...Array(20_000).keys()].map((place) => 1 + place * 49_999);
    const neighbours = [...Array(20_000).keys()].map((place) => 1 + place);
    const locators = [...new Set([...serials, ...neighbours])].map((serial) => one.of(ticketCode(serial)));
    expect(new Set(locators).size).toBe(locators.length);
    const firsts = new Set(neighbours.slice(0, 1_000).map((serial) => one.of(ticketCode(serial)).slice(-2)));
    expect(firsts.size).toBeGreaterThan(500);
  });
});
