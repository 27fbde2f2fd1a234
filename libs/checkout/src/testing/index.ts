export type { Buyer } from '../checkouts.js';
export { finishCheckout } from '../checkout-saga.js';
export { goneOf } from '../process-lease.js';
export { ticketCode, ticketStock } from '../ticket-stock.js';
