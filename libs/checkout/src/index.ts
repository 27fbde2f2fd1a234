export * from './pure.js';
export { CHALLENGE_SLOTS } from './challenge-slots.js';
export { type Buyer, BUYERS, Checkouts } from './checkouts.js';
export {
  type FinishedCheckout,
  finishCheckout,
  followDecision,
  runCheckout,
  type TriedCheckout,
} from './checkout-saga.js';
export { CheckoutModule } from './checkout.module.js';
export { CheckoutSettings } from './checkout-settings.js';
export {
  CheckoutRecovery,
  finishOpen,
  type RecoveryInstrumentation,
  RecoveryObserver,
  UNINSTRUMENTED,
} from './recovery/checkout-recovery.js';
export { OrderOutcomes } from './order-outcomes.js';
export { LeftOpen } from './recovery/left-open.js';
export { HolderSlots, type Waiting } from './holder-slots.js';
export { type EndingMandate, endMandate, endMandates, finishReserved } from './recovery/end-mandate.js';
export { grantApproved, openingOf } from './recovery/grant-approved.js';
export { CANCELLATIONS, type Quote } from './cancellation-quotes.js';
export { finishCancellation } from './refund-saga.js';
export { isCardRefusal, REFUSED_CARDS } from './refused-cards.js';
export { Runner } from './process-lease.js';
export { isTicketCode, Locators, ticketLeasedAt } from './ticket-stock.js';
export { type Card, checkCard } from './payment/card.js';
export { CARD_FINGERPRINTS, CardFingerprints } from './payment/card-fingerprints.js';
export { type ChargeOutcome, PaymentProcessor, type RefundOutcome } from './payment/payment-processor.port.js';
export {
  LEDGER,
  type LedgerRow,
  ledgerRowOf,
  type RefundRow,
  refundRowOf,
  REFUNDS,
  TestProcessor,
} from './payment/test-processor.js';
