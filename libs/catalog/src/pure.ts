export { flights } from './flight.decider.js';
export { flightsProjection } from './flights.projection.js';
