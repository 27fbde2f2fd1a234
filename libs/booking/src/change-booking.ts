import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireAuthorizedAgent } from '#delegation';
import { Aggregates } from '#event-store';
import { Clock, type Context, type Party } from '#kernel';
import { AttachedMetadata, type Metadata } from '#metadata';
import { ReadModels } from '#read-models';
import { bookings, changeable } from './booking.decider.js';
import type { BookedChoice } from './booking.state.js';
import { loadBooking } from './get-booking.js';
import { type BookingRequest, priced } from './pricing.js';
import { untilUnchanged } from './until-unchanged.js';

/** Changes what is named in `changes` and in `metadata`; what is absent stays. */
export class ChangeBooking extends Command<BookedChoice> {
  constructor(
    readonly bookingId: string,
    readonly party: Party,
    readonly changes: Partial<BookingRequest>,
    readonly context: Context,
    readonly metadata?: Metadata,
  ) {
    super();
  }
}

/** Prices the whole booking at today's fare again; the same result writes nothing (docs/decisions.md, Booking). */
@CommandHandler(ChangeBooking)
export class ChangeBookingHandler implements ICommandHandler<ChangeBooking> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly readModels: ReadModels,
    private readonly attached: AttachedMetadata,
  ) {}

  execute({ bookingId, party, changes, context, metadata }: ChangeBooking): Promise<BookedChoice> {
    return untilUnchanged(this.clock, async () => {
      await requireAuthorizedAgent(this.aggregates, party);
      const booking = changeable(await loadBooking(this.aggregates, bookingId), party);
      const basedOn = booking.choice;
      const isPriced = Object.keys(changes).length > 0;
      const choice = isPriced ? await priced(this.aggregates, { ...basedOn, ...changes }, this.clock.now()) : basedOn;
      await this.attached.change(bookingId, party, metadata);
      if (!isPriced) return { bookingId, ...basedOn };
      const command = { type: 'ChangeBooking', ...party, basedOn, choice } as const;
      const { position } = await this.aggregates.handle(bookings, bookingId, command, context);
      await this.readModels.waitFor(bookings, position);
      return { bookingId, ...choice };
    });
  }
}
