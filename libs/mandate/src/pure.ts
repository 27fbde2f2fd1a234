export { mandates } from './mandate.decider.js';
export { openMandatesProjection } from './open-mandates.projection.js';
export { mandatesProjection } from './read-mandates/mandates.projection.js';
