export {
  answerJson,
  type DocumentServer,
  internetOf,
  LOCAL_CERTIFICATE,
  PUBLIC_ADDRESS,
  serveDocuments,
} from './document-server.js';
export * from './signer.js';
