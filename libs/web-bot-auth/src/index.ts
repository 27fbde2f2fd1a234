export { WebBotAuth } from './web-bot-auth.js';
export { type Directory, KeyDirectories, keysIn } from './key-directories.js';
