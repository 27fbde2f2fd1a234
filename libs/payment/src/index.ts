export { type Card, type CardSummary, judgeCard } from './card.js';
export { CARD_TRACES, CardTraces } from './card-traces.js';
export { LEDGER } from './ledger-row.js';
export {
  type ChargeOutcome,
  type ChargeRequest,
  type FinalOutcome,
  PaymentProcessor,
} from './payment-processor.port.js';
export { TestProcessor } from './test-processor.js';
