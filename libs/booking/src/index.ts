export * from './pure.js';
export { type BookingCommand, bookingDecider, ChangedMeanwhile, orderable, OrderInTheWay } from './booking.decider.js';
export { BookingModule } from './booking.module.js';
export type { Booking, ExistingBooking } from './booking.state.js';
export { Bookings, bookingToOrder, loadBooking, untilUnchanged } from './bookings.js';
export { bookingChange, bookingOperation, changedBooking, readBooking } from './booking-requests.js';
export { BookingView, bookingView, ChangeBookingDto, CreateBookingDto } from './booking.dto.js';
