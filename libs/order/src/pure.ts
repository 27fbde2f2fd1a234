export {
  type CancelledOrder,
  type CancellingOrder,
  type ChargedOrder,
  isCancelling,
  isCharged,
  notCancellable,
  standingInTheWay,
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
export { ordersProjection } from './orders/orders.projection.js';
