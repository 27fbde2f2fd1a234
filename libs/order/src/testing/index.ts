export { orderToComplete } from '../challenge/complete-challenge.js';
export { DecideChallengeHandler } from '../challenge/challenges.js';
export { orderView } from '../order.dto.js';
export { ChallengeRequired, OrderOutcomeUnknown, PlaceOrder, PlaceOrderHandler } from '../place-order/place-order.js';
export { CancelOrder, CancelOrderHandler, Cancellations } from '../cancel-order/cancel-order.js';
