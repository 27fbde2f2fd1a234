export { flights } from './flight.decider.js';
export { flightsProjection } from './flights.projection.js';
export { saleDays, timetables } from './timetable.decider.js';
export { ofDeparture } from './departures.js';
