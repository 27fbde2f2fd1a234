export { KeyDirectories } from './key-directories.js';
export { WebBotAuth } from './web-bot-auth.js';
