import { Module } from '@nestjs/common';
import { BookingsController } from './bookings.controller.js';
import { ChangeBookingHandler } from './change-booking.handler.js';
import { CreateBookingHandler } from './create-booking.handler.js';
import { GetBookingHandler } from './get-booking.handler.js';
import { ListBookingsHandler } from './list-bookings.handler.js';

@Module({
  controllers: [BookingsController],
  providers: [ChangeBookingHandler, CreateBookingHandler, GetBookingHandler, ListBookingsHandler],
})
export class BookingModule {}
