export * from './pure.js';
export { DecideChallenge } from './challenge/decide-challenge.js';
export { type ChallengeDetails, Challenges, type ChallengeStatus } from './challenge/challenges.js';
export { CHALLENGE_SLOTS } from './checkout/challenge-slots.js';
export { BUYERS, CheckoutDependencies, checkoutsOn } from './checkout/checkout-dependencies.js';
export { finishCheckout } from './checkout/checkout-saga.js';
export { OrderSettings } from './checkout/order-settings.js';
export { REFUSED_CARDS } from './checkout/refused-cards.js';
export { Runner } from './checkout/runner.js';
export { ticketStock } from './checkout/ticket-stock.decider.js';
export { type PlacedOrder } from './order.decider.js';
export { PlaceOrderDto } from './order.dto.js';
export { CheckoutModule, OrderModule } from './order.module.js';
export { OrderView, orderView } from './order.view.js';
export { Orders, type SpentInMonth } from './orders/orders.js';
export { orderOperation, readOrder } from './place-order/order-operation.js';
export { ReceiptView, receiptView } from './receipt/receipt.view.js';
export {
  CheckoutRecovery,
  type RecoveryInstrumentation,
  RecoveryObserver,
  UNINSTRUMENTED,
} from './recovery/checkout-recovery.js';
export { EndMandates, endMandates, everyOpenMandate, revokeMandates } from './recovery/end-mandates.js';
