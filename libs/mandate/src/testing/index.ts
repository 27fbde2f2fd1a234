export { CreateMandate, CreateMandateHandler } from '../create-mandate/create-mandate.js';
export { PendingMandates } from '../pending-mandates.js';
