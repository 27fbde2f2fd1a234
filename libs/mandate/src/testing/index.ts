export { CreateMandate, CreateMandateHandler } from '../create-mandate/create-mandate.js';
