export { happeningsProjection } from './happenings.projection.js';
