export * from './pure.js';
export {
  Cancellations,
  CancellationUnderWay,
  CancelOrder,
  type QuotedCancellation,
  QuoteOver,
} from './cancel-order/cancel-order.js';
export { cancelOperation, CancellationView, creditNoteView, quoteOperation } from './cancel-order/cancellation.view.js';
export { cancelFlight, type EndOfOrder } from './cancel-flight/cancel-flight.js';
export { type ChallengeDetails, Challenges, type ChallengeStatus, DecideChallenge } from './challenge/challenges.js';
export { challengeUrl, OrderView, orderView, PlaceOrderDto } from './order.dto.js';
export { OrderModule } from './order.module.js';
export { loadOrder, Orders, type SpentInMonth } from './orders/orders.js';
export { orderOperation, readOrder } from './place-order/order-operation.js';
export { ReceiptProofs } from './receipt/receipt-proofs.js';
export { ReceiptView, receiptView } from './receipt/receipt.view.js';
