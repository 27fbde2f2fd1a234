export { GuardedDocuments } from './guarded-documents.js';
export { GuardedPosts } from './guarded-posts.js';
export { INTERNET, isAskable, type Network, spelled } from './guarded-request.js';
export { DocumentUnread, type RemoteDocument, RemoteDocuments, type Unread } from './remote-documents.port.js';
export { isAgents } from './agent-claim.js';
export {
  dictionaryIn,
  headerOf,
  type Signature,
  signatureBaseOf,
  type SignedMessage,
  signaturesOf,
  toSign,
} from './message-signatures.js';
export { messageOf } from './signed-message.js';
export { KeyDirectories } from './key-directories.js';
export { WebBotAuth } from './web-bot-auth.js';
export { type PostedMessage, RemotePosts } from './remote-posts.port.js';
