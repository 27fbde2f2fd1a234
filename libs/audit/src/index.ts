export { diffLog, type LogDifference } from './diff-log.js';
export * from './verify-log.js';
export { type Bundle, type BundleSources, exportBundle, NothingToExport } from './export-bundle.js';
export { followMandate, mandateSteps, MandateTelling, type UpTo } from './stories/mandate-story.js';
export type { OrderStanding } from './stories/order-books.js';
export { partyStory, type Whose } from './stories/party-story.js';
export { bookingStory, orderStory } from './stories/story.js';
export type { StoryLine } from './stories/telling.js';
export { type Integrity, integrityOf } from './integrity.js';
