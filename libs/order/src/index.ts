export { BUYERS } from './buyers.js';
export { openCheckoutsProjection } from './open-checkouts.projection.js';
export { OrderModule } from './order.module.js';
export { ordersProjection } from './orders.projection.js';
export { receiptsProjection } from './receipts.projection.js';
export { settleOpenCheckouts } from './settle-open-checkouts.js';
export { Settlement } from './settlement.js';
