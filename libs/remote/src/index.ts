export { GuardedDocuments } from './guarded-documents.js';
export { INTERNET, type Network } from './guarded-get.js';
export { DocumentUnread, type RemoteDocument, RemoteDocuments } from './remote-documents.port.js';
export { KeyDirectories } from './key-directories.js';
export { WebBotAuth } from './web-bot-auth.js';
