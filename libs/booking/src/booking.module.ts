import { Module } from '@nestjs/common';
import { BookingsController } from './bookings.controller.js';
import { Bookings } from './bookings.js';
import { ChangeBookingHandler } from './change-booking.js';
import { CreateBookingHandler } from './create-booking.js';

@Module({
  controllers: [BookingsController],
  providers: [Bookings, ChangeBookingHandler, CreateBookingHandler],
  exports: [Bookings],
})
export class BookingModule {}
