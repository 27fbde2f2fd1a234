export { GuardedDocuments } from './guarded-documents.js';
export { GuardedPosts } from './guarded-posts.js';
export { INTERNET, type Network } from './guarded-request.js';
export { DocumentUnread, type RemoteDocument, RemoteDocuments } from './remote-documents.port.js';
export { KeyDirectories } from './key-directories.js';
export { WebBotAuth } from './web-bot-auth.js';
export { type Posted, type PostedMessage, RemotePosts } from './remote-posts.port.js';
