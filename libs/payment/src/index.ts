export { type Card, judgeCard } from './card.js';
export { type ChargeOutcome, type ChargeRequest, PaymentProcessor } from './payment-processor.port.js';
export { LEDGER, TestProcessor } from './test-processor.js';
