export { AheadOfLog } from './ahead-of-log.js';
export * from './cursor.js';
export * from './list-page.js';
export * from './projection.js';
export { type OnProjectionError, ProjectionStopped } from './projector.js';
export { ReadModels } from './read-models.js';
