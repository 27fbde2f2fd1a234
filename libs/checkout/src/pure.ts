export { openCheckoutsProjection } from './recovery/open-checkouts.projection.js';
