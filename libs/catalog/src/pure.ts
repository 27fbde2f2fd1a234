export { flightsProjection } from './flights.projection.js';
