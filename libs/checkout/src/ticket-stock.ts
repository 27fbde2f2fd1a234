import { createCipheriv } from 'node:crypto';
import { Aggregates, type EventStore } from '#event-store';
import { type Decider, Ids, type Instant, systemContext } from '#kernel';
import { streamType, type TicketCodes, type TicketStockEvent, ticketStockEvents } from '#events';

/** The state of `ticket-stock`: the first serial nobody has leased yet. */
interface TicketStockState {
  readonly next: number;
}

interface LeaseBlock {
  /** Names who draws from the block. */
  readonly leaseId: string;
  readonly size: number;
}

/** Leases blocks of ticket serials, one after the other; a serial is in one block only (docs/consistency.md, rule 22). */
export const ticketStockDecider: Decider<TicketStockState, LeaseBlock, TicketStockEvent> = {
  initialState: () => ({ next: 1 }),
  decide: ({ leaseId, size, now }, { next }) => [
    { type: 'TicketBlockLeased', data: { leaseId, first: next, last: next + size - 1, leasedAt: now } },
  ],
  evolve: (_, event) => ({ next: event.data.last + 1 }),
};

export const ticketStock = streamType({
  category: 'ticket',
  id: (_: 'stock') => 'stock',
  events: ticketStockEvents,
  decider: ticketStockDecider,
});

/** Serials in a block: one append in a thousand tickets (docs/consistency.md, rule 22). */
const BLOCK_SIZE = 1_000;

/** Draws ticket codes from blocks leased to this process. What a crash leaves in a block is lost, none is used twice. */
export class TicketStock {
  private block = { next: 1, last: 0 };
  private leasing: Promise<void> | null = null;
  private readonly returned: string[] = [];

  constructor(
    private readonly aggregates: Aggregates,
    private readonly ids: Ids,
  ) {}

  /** A code for each passenger, which no other ticket has. */
  async drawFor(passengers: number): Promise<TicketCodes> {
    const codes: [string, ...string[]] = [await this.draw()];
    while (codes.length < passengers) codes.push(await this.draw());
    return codes;
  }

  private async draw(): Promise<string> {
    for (;;) {
      const returned = this.returned.pop();
      if (returned !== undefined) return returned;
      if (!this.isOut()) break;
      await this.stockUp();
    }
    const serial = this.block.next;
    this.block.next += 1;
    return ticketCode(serial);
  }

  /** Leases a block where no code is left, so that the next draw need not wait for the disk. */
  async stockUp(): Promise<void> {
    if (this.isOut() && this.returned.length === 0)
      await (this.leasing ??= this.lease().finally(() => (this.leasing = null)));
  }

  /** Takes back codes that were drawn and stand in no stream, for sure. */
  putBack(codes: readonly string[]): void {
    this.returned.push(...codes);
  }

  private isOut(): boolean {
    return this.block.next > this.block.last;
  }

  private async lease(): Promise<void> {
    const leaseId = this.ids.next();
    const command = { leaseId, size: BLOCK_SIZE };
    const { events } = await this.aggregates.handle(ticketStock, 'stock', command, systemContext(leaseId));
    for (const { data } of events) this.block = { next: data.first, last: data.last };
  }
}

/** The accounting code of the airline that issues the tickets, three digits as IATA gives them. */
const AIRLINE = '977';

/** A ticket code of 13 digits (rule 22): 3 of the airline, 9 of the serial, and the twelve modulo 7, as on paper tickets. */
export const ticketCode = (serial: number): string => {
  const number = AIRLINE + serial.toString().padStart(9, '0');
  return number + (Number(number) % 7).toString();
};

const serialOf = (code: string): number => Number(code.slice(AIRLINE.length, -1));

/** Whether a text can be the code of a ticket of ours: thirteen digits, the last of which fits. */
export const isTicketCode = (text: string): boolean => /^\d{13}$/.test(text) && ticketCode(serialOf(text)) === text;

/** When the block was leased that a code is of: its ticket is not older. null: nobody ever leased it. */
export const ticketLeasedAt = async (events: EventStore, code: string): Promise<Instant | null> => {
  const serial = serialOf(code);
  for await (const stored of events.readStream(ticketStock.streamOf('stock'))) {
    const { first, last, leasedAt } = ticketStock.decode(stored).data;
    if (first <= serial && serial <= last) return leasedAt;
  }
  return null;
};

/** What a locator is written in: no 0 and O, no 1 and I. Six of them have a billion and more values, as many as there are serials. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const [LOCATOR_LENGTH, HALF, ROUNDS] = [6, 15, 4];

/** Locators of orders: six characters that say nothing of how many tickets there were, and are no secret (rule 22). */
export class Locators {
  private readonly functions: Uint8Array;

  /** `key`: 32 bytes. Its key stream is the table of the rounds' functions. */
  constructor(key: Uint8Array) {
    const stream = createCipheriv('aes-256-ctr', key, new Uint8Array(16));
    this.functions = stream.update(new Uint8Array((ROUNDS << HALF) * 2));
  }

  /** The locator of the order whose first ticket has this code: a Feistel network of its serial, so no two have the same one. */
  of(ticketCode: string): string {
    const serial = serialOf(ticketCode);
    let [left, right] = [serial >> HALF, serial & LOWER];
    for (let round = 0; round < ROUNDS; round += 1) [left, right] = [right, left ^ this.function(round, right)];
    const number = left * (LOWER + 1) + right;
    return Array.from({ length: LOCATOR_LENGTH }, (_, place) => LETTERS.charAt((number >> (5 * place)) & 31)).join('');
  }

  /** The code of the first ticket of the order that has this locator: the same rounds backwards; null: it can be none. */
  ticketOf(locator: string): string | null {
    const places = Array.from(locator, (letter) => LETTERS.indexOf(letter));
    if (places.length !== LOCATOR_LENGTH || places.includes(-1)) return null;
    const number = places.reduceRight((sum, place) => sum * LETTERS.length + place, 0);
    let [left, right] = [number >> HALF, number & LOWER];
    for (let round = ROUNDS - 1; round >= 0; round -= 1) [left, right] = [right ^ this.function(round, left), left];
    const code = ticketCode(left * (LOWER + 1) + right);
    return isTicketCode(code) ? code : null;
  }

  private function(round: number, half: number): number {
    const place = ((round << HALF) + half) * 2;
    return (((this.functions[place] ?? 0) << 8) | (this.functions[place + 1] ?? 0)) & LOWER;
  }
}

const LOWER = (1 << HALF) - 1;
