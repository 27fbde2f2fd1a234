import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireAuthorizedAgent } from '#delegation';
import { Aggregates } from '#event-store';
import { Clock, type Context, type Instant, type Party } from '#kernel';
import { AttachedMetadata, type Metadata } from '#metadata';
import { ReadModels } from '#read-models';
import { bookings, changeable, ChangedMeanwhile } from './booking.decider.js';
import type { BookedChoice, Choice } from './booking.state.js';
import { loadBooking } from './bookings.js';
import { type BookingRequest, flightOf, priced } from './pricing.js';
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

/**
 * Prices the whole booking at the flight's fare now; the same result writes nothing (docs/decisions.md, Booking). Metadata is
 * written after all that may refuse.
 */
@CommandHandler(ChangeBooking)
export class ChangeBookingHandler implements ICommandHandler<ChangeBooking> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly readModels: ReadModels,
    private readonly attached: AttachedMetadata,
  ) {}

  async execute(command: ChangeBooking): Promise<BookedChoice> {
    const { bookingId, party, changes, metadata } = command;
    await requireAuthorizedAgent(this.aggregates, party);
    const { choice: present } = changeable(await loadBooking(this.aggregates, bookingId), party);
    await this.attached.requireRoom(bookingId, metadata);
    const isPriced = Object.keys(changes).length > 0;
    const choice = isPriced ? await untilUnchanged(this.clock, () => this.choose(command)) : present;
    await this.attached.change(bookingId, party, metadata);
    return { bookingId, ...choice };
  }

  private async choose({ bookingId, party, changes, context }: ChangeBooking): Promise<Choice> {
    const { choice: present } = changeable(await loadBooking(this.aggregates, bookingId), party);
    const flight = await flightOf(this.aggregates, { ...present, ...changes });
    const choose = (choice: Choice, now: Instant): Choice => {
      const isOther = changes.flightNumber === undefined && choice.flightNumber !== present.flightNumber;
      if (isOther) throw new ChangedMeanwhile(); // another flight has to be looked up
      return priced(flight, { ...choice, ...changes }, now);
    };
    const command = { type: 'ChangeBooking', ...party, choose } as const;
    const { state, position } = await this.aggregates.handle(bookings, bookingId, command, context);
    await this.readModels.waitFor(bookings, position);
    return changeable(state, party).choice;
  }
}
