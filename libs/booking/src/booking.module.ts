import { Module } from '@nestjs/common';
import { BookingsController } from './bookings.controller.js';
import { ChangeBookingHandler } from './change-booking.js';
import { CreateBookingHandler } from './create-booking.js';
import { GetBookingHandler } from './get-booking.js';
import { ListBookingsHandler } from './list-bookings.js';

@Module({
  controllers: [BookingsController],
  providers: [ChangeBookingHandler, CreateBookingHandler, GetBookingHandler, ListBookingsHandler],
})
export class BookingModule {}
