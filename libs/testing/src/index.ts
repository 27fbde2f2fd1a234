export * from './fixed-clock.js';
export * from './scenario.js';
