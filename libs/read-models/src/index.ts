export { AheadOfLog } from './ahead-of-log.js';
export * from './cursor.js';
export type { Lag } from './lag.js';
export { LeasedProjector, type SharedProjecting } from './leased-projector.js';
export * from './list-page.js';
export * from './projection.js';
export { type OnProjectionError, ProjectionStopped } from './projector.js';
export { ReadModels } from './read-models.js';
export { rebuild, REBUILD_GRACE, type Rebuilding } from './rebuild.js';
