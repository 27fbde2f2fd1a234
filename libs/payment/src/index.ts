export { type Card, type CardSummary, checkCard } from './card.js';
export { CARD_FINGERPRINTS, CardFingerprints } from './card-fingerprints.js';
export {
  type ChargeOutcome,
  type ChargeRequest,
  type FinalOutcome,
  PaymentProcessor,
} from './payment-processor.port.js';
export { LEDGER, type LedgerRow, ledgerRowOf, TestProcessor } from './test-processor.js';
