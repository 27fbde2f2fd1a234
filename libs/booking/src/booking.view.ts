import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { listOf, MoneyView } from '#http';
import { HasMetadata, type Metadata } from '#metadata';
import type { BookedChoice } from './booking.state.js';

/** A booking as the interface shows it (docs/interface.md, Booking). */
@ApiSchema({ name: 'Booking' })
export class BookingView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true, example: 'AL4012' })
  readonly flightNumber: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'CLASSICA' })
  readonly fareCode: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 9, example: 1 })
  readonly passengers: number;

  @ApiProperty({ type: MoneyView, description: 'Preço para todos os passageiros.' })
  readonly total: MoneyView;

  @ApiProperty({ description: 'A moeda do total.', example: 'BRL' })
  readonly currency: string;

  @HasMetadata()
  readonly metadata: Metadata;
}

/** One page of the holder's bookings. */
export const BookingListView = listOf(BookingView, 'BookingList');

export const bookingView = (
  { bookingId, flightNumber, fareCode, passengers, total }: BookedChoice,
  metadata: Metadata = {},
): BookingView => ({
  id: bookingId,
  flightNumber,
  fareCode,
  passengers,
  total,
  currency: total.currency,
  metadata,
});
