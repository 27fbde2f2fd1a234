export type { BookingCommand } from './booking.commands.js';
export { bookingDecider, orderable } from './booking.decider.js';
export { BookingModule } from './booking.module.js';
export type { Booking, ExistingBooking } from './booking.state.js';
export { bookingsProjection } from './bookings.projection.js';
export { untilUnchanged } from './until-unchanged.js';
export { loadBooking } from './load-booking.js';
export { flightOnSale } from './pricing.js';
