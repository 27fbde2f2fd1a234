export * from './any-text.js';
export * from './clocks.js';
export * from './projected.js';
export * from './scenario.js';
export * from './snapshots.js';
export * from './tcp-proxy.js';
export * from './tell-skipped.js';
export * from './until.js';
