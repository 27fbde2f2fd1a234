export { documentsContract } from '../documents.contract.js';
export { proxyTo, through } from './mongodb-proxy.js';
