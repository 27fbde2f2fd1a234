export { type Happening, happeningsProjection } from './happenings.projection.js';
