export * from './purchase-story.js';
export * from './test-log.js';
