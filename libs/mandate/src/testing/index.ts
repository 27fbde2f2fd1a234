export { CreateMandate } from '../create-mandate.command.js';
export { CreateMandateHandler } from '../create-mandate.handler.js';
