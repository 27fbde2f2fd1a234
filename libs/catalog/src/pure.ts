export { flights } from './flight.decider.js';
export { flightsProjection } from './flights.projection.js';
export { departureIn, departureNamed, saleDays, timetables } from './timetable.decider.js';
