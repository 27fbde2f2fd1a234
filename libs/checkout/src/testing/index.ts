export type { Buyer } from '../checkout-dependencies.js';
export { finishCheckout } from '../checkout-saga.js';
export { goneOf } from '../runner.js';
export { ticketCode } from '../ticket-stock.js';
