export * from './caught-mails.js';
export * from './receiver.js';
