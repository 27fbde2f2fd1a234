export { orders } from './order.decider.js';
export { ordersProjection } from './orders/orders.projection.js';
export { openCheckoutsProjection } from './recovery/open-checkouts.projection.js';
