export { bookings } from './booking.decider.js';
export { bookingsProjection } from './bookings.projection.js';
