import { Aggregates } from '#event-store';
import { type Decider, Ids, systemContext } from '#kernel';
import { streamType, type TicketStockEvent, ticketStockEvents } from '#events';

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

/** `ticket-stock`, the one stream of its kind. */
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

  /** A code no other ticket has. */
  async draw(): Promise<string> {
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

  /** Leases a block where no code is left: whoever draws the next one need not wait for the disk then. */
  async stockUp(): Promise<void> {
    if (this.isOut() && this.returned.length === 0)
      await (this.leasing ??= this.lease().finally(() => (this.leasing = null)));
  }

  /** Takes back a code that was drawn and stands in no stream, for sure. */
  putBack(code: string): void {
    this.returned.push(code);
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
