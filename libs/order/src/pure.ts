export {
  type CancelledOrder,
  type CancellingOrder,
  type ChargedOrder,
  isCancelling,
  isCharged,
  type NotCancellable,
  type ChallengedOrder,
  type FailedOrder,
  isChallenged,
  isWaiting,
  type Order,
  orders,
  type PaidOrder,
  type PlacedOrder,
  ticketCodesOf,
} from './order.decider.js';
export { type MonthOfHolder, type OrderListItem, ordersProjection } from './orders/orders.projection.js';
