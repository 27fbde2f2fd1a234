import { Module } from '@nestjs/common';
import { BookingsController } from './bookings.controller.js';
import { Bookings } from './bookings.js';
import { ChangeBookingHandler } from './change-booking.js';
import { CreateBookingHandler } from './create-booking.js';
import { Travellers } from './travellers.js';

@Module({
  controllers: [BookingsController],
  providers: [Bookings, ChangeBookingHandler, CreateBookingHandler, Travellers],
  exports: [Bookings, Travellers],
})
export class BookingModule {}
