export * from './pure.js';
export { ChangedMeanwhile, orderable, OrderInTheWay, priced } from './booking.decider.js';
export { BookingModule } from './booking.module.js';
export { type Booking, type ExistingBooking, isPromised, type TakenBooking } from './booking.state.js';
export { ChangeBooking } from './change-booking.js';
export { BookingSettings, CreateBooking, offerFrom } from './create-booking.js';
export { Bookings, bookingToOrder, loadBooking, untilUnchanged } from './bookings.js';
export { bookingChange, bookingOperation, changedBooking, readBooking } from './bookings.controller.js';
export {
  BookingView,
  bookingView,
  ChangeBookingDto,
  CreateBookingDto,
  ShowsDepartureAt,
  ShowsDepartureDate,
} from './booking.dto.js';
export {
  ContactDto,
  EMAIL,
  NamesContact,
  NamesTravellers,
  PHONE,
  ShowsContact,
  ShowsTravellers,
  TravellerDto,
} from './travellers.dto.js';
export {
  checkTravellers,
  type Contact,
  isNobody,
  type People,
  peopleIn,
  type Traveller,
  TRAVELLERS,
  Travellers,
} from './travellers.js';
