export * from './purchase-story.js';
export * from './test-log.js';
export * from './vectors.js';
