import { streamType, type TicketStockEvent, ticketStockEvents } from '#events';
import type { Decider } from '#kernel';

/** The state of `ticket-stock`: the first serial nobody has leased yet. */
interface TicketStockState {
  readonly next: number;
}

interface LeaseBlock {
  /** Names who draws from the block. */
  readonly leaseId: string;
  /** Serials in the block. */
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
