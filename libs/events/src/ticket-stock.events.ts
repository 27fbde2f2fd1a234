import { z } from 'zod';
import { type EventOf, instant } from './schema.js';

/** Events of `ticket-stock`: blocks of ticket serials, each leased once (rule 22). */
export const ticketStockEvents = {
  /** Serials `first` to `last`, both included. `leaseId` names who draws from the block. */
  TicketBlockLeased: z.object({ leaseId: z.string(), first: z.int(), last: z.int(), leasedAt: instant }),
};

export type TicketStockEvent = EventOf<typeof ticketStockEvents>;
