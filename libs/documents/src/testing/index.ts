export { documentsContract } from '../documents.contract.js';
