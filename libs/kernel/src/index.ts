export * from './caller.js';
export * from './time-and-ids.port.js';
export * from './decider.js';
export * from './error-codes.js';
export * from './in-process.js';
export * from './money.js';
export * from './text-forms.js';
