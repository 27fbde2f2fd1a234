import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireAuthorizedAgent } from '#mandate';
import { Aggregates } from '#event-store';
import { flightIdOf } from '#events';
import { Clock, type Context, type Party } from '#kernel';
import { AttachedMetadata, type Metadata } from '#http';
import { ReadModels } from '#read-models';
import { type BookingRequest, bookings, changeable, ChangedMeanwhile, isOf } from './booking.decider.js';
import type { BookedChoice, Choice } from './booking.state.js';
import { loadBooking, untilUnchanged } from './bookings.js';
import { BookingSettings, offerOf } from './create-booking.js';
import { checkTravellers, isNobody, type People, Travellers } from './travellers.js';

/** Changes what is named in `changes`, `metadata` and `people`; what is absent stays. */
export class ChangeBooking extends Command<BookedChoice> {
  constructor(
    readonly bookingId: string,
    readonly party: Party,
    readonly changes: Partial<BookingRequest>,
    readonly context: Context,
    readonly metadata?: Metadata,
    readonly people: People = {},
  ) {
    super();
  }
}

/** Prices the whole booking at the flight's fare now. Metadata is written after all that may refuse (docs/decisions.md, Booking). */
@CommandHandler(ChangeBooking)
export class ChangeBookingHandler implements ICommandHandler<ChangeBooking> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly readModels: ReadModels,
    private readonly attached: AttachedMetadata,
    private readonly settings: BookingSettings,
    private readonly travellers: Travellers,
  ) {}

  async execute(command: ChangeBooking): Promise<BookedChoice> {
    const { bookingId, party, changes, metadata, people } = command;
    await requireAuthorizedAgent(this.aggregates, party);
    const { choice: present } = changeable(await loadBooking(this.aggregates, bookingId), party);
    await this.attached.requireRoom(bookingId, metadata);
    await this.checkPeople(command, present);
    const isPriced = Object.keys(changes).length > 0;
    const choice = isPriced ? await untilUnchanged(this.clock, () => this.choose(command)) : present;
    await this.attached.change(bookingId, party, metadata);
    await this.travellers.change(bookingId, party, people);
    // An order that took the booking meanwhile may have read the names of before.
    if (!isNobody(people)) changeable(await loadBooking(this.aggregates, bookingId), party);
    return { bookingId, ...choice };
  }

  /** Whoever is named, now or before, fits the booking as it will be. An order looks again. @throws DomainError `invalid_travellers` */
  private async checkPeople({ bookingId, party, changes, people }: ChangeBooking, present: Choice): Promise<void> {
    if (!people.travellers && changes.passengers === undefined) return;
    const known = { ...(await this.travellers.of(bookingId, party)), ...people };
    if (!known.travellers) return;
    const offer = await offerOf(this.aggregates, changes.flightId ?? flightIdOf(present));
    const days = { now: this.clock.now(), departs: offer?.departureDate ?? null };
    checkTravellers(known, changes.passengers ?? present.passengers, days);
  }

  /** @throws ChangedMeanwhile where the booking is of another flight by now, which has to be looked up */
  private async choose({ bookingId, party, changes, context }: ChangeBooking): Promise<Choice> {
    const { choice: present } = changeable(await loadBooking(this.aggregates, bookingId), party);
    const { flightId = flightIdOf(present) } = changes;
    const offer = await offerOf(this.aggregates, flightId);
    const command = { type: 'ChangeBooking', ...party, changes, offer, promise: this.settings.promise } as const;
    const { state, position } = await this.aggregates.handle(bookings, bookingId, command, context);
    const { choice } = changeable(state, party);
    if (!isOf(choice, offer)) throw new ChangedMeanwhile();
    await this.readModels.waitFor(bookings, position);
    return choice;
  }
}
