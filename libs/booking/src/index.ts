export {
  type BookingCommand,
  bookingDecider,
  bookings,
  ChangedMeanwhile,
  orderable,
  OrderInTheWay,
} from './booking.decider.js';
export { BookingModule } from './booking.module.js';
export type { Booking, ExistingBooking } from './booking.state.js';
export { bookingsProjection } from './bookings.projection.js';
export { untilUnchanged } from './until-unchanged.js';
export { GetBooking, loadBooking } from './get-booking.js';
export { flightOnSale } from './pricing.js';
export { bookingChange, bookingOperation } from './booking-requests.js';
export { ChangeBookingDto, CreateBookingDto } from './booking.dto.js';
export { BookingView, bookingView } from './booking.view.js';
