import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireAuthorizedAgent } from '#mandate';
import { Aggregates } from '#event-store';
import { flightIdOf } from '#events';
import { Clock, type Context, type Party } from '#kernel';
import { AttachedMetadata, type Metadata } from '#http';
import { type BookingRequest, bookings, changeable, ChangedMeanwhile, isOf, type Offer } from './booking.decider.js';
import type { BookedChoice, Choice, ExistingBooking } from './booking.state.js';
import { loadBooking, untilUnchanged } from './bookings.js';
import { BookingSettings, type NamedFlight, offerNamed, offerOf } from './create-booking.js';
import { departureNamed } from '#catalog';
import { checkTravellers, isNobody, type People, Travellers } from './travellers.js';

/** Changes what is named in `changes`, `metadata`, `people` and `flight`; what is absent stays. */
export class ChangeBooking extends Command<BookedChoice> {
  constructor(
    readonly bookingId: string,
    readonly party: Party,
    readonly changes: Partial<BookingRequest>,
    readonly context: Context,
    readonly metadata?: Metadata,
    readonly people: People = {},
    readonly flight?: NamedFlight,
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
    private readonly attached: AttachedMetadata,
    private readonly settings: BookingSettings,
    private readonly travellers: Travellers,
  ) {}

  async execute(command: ChangeBooking): Promise<BookedChoice> {
    const { bookingId, party, metadata, people } = command;
    await requireAuthorizedAgent(this.aggregates, party);
    const { choice, named } = await untilUnchanged(this.clock, () => this.changed(command));
    await this.attached.change(bookingId, party, metadata);
    await this.travellers.change(bookingId, party, people);
    // An order that took the booking meanwhile may have read the names of before.
    if (!isNobody(people)) changeable(await loadBooking(this.aggregates, bookingId), party);
    return { bookingId, named, ...choice };
  }

  /** @throws ChangedMeanwhile where the booking is of another flight by now, which has to be looked up */
  private async changed(command: ChangeBooking): Promise<ExistingBooking> {
    const { bookingId, party, context, metadata, people, flight } = command;
    const booking = changeable(await loadBooking(this.aggregates, bookingId), party);
    await this.attached.requireRoom(bookingId, metadata);
    const names = !isNobody(people);
    const isPriced = flight !== undefined || Object.keys(command.changes).length > 0;
    const isSame = !isPriced && (booking.named === true || !names);
    if (isSame && !people.travellers) return booking;
    const offer = await this.offerTo(command, booking.choice);
    await this.checkPeople(command, booking, offer);
    if (isSame) return booking;
    const changes = { ...command.changes, ...(flight && { flightId: offer && flightIdOf(offer) }) };
    const changedFrom = flight && flightIdOf(booking.choice);
    const { promise } = this.settings;
    const change = { type: 'ChangeBooking', ...party, changes, names, offer, changedFrom, promise } as const;
    const { state } = await this.aggregates.handle(bookings, bookingId, change, context);
    const after = changeable(state, party);
    if (!isOf(after.choice, offer)) throw new ChangedMeanwhile();
    return after;
  }

  /** Passengers that were named, now or before, fit the booking as it will be. An order looks again. @throws DomainError `invalid_travellers` */
  private async checkPeople(
    { bookingId: id, party, changes, people }: ChangeBooking,
    { choice, named }: ExistingBooking,
    offer: Offer | null,
  ): Promise<void> {
    if (!people.travellers && changes.passengers === undefined) return;
    const known = people.travellers ? people : await this.travellers.of({ id, named }, party);
    const days = { now: this.clock.now(), departs: offer?.departureDate ?? null };
    checkTravellers(known, changes.passengers ?? choice.passengers, days);
  }

  /** The flight of the changed booking: a new number keeps the day of a timetable's departure. @throws DomainError `invalid_flight` */
  private offerTo({ changes, flight }: ChangeBooking, present: Choice): Promise<Offer | null> {
    const { flightId = flightIdOf(present), passengers = present.passengers } = changes;
    if (!flight) return offerOf(this.aggregates, flightId);
    const flightNumber = flight.flightNumber ?? present.flightNumber ?? undefined;
    const date = flight.date ?? departureNamed(flightIdOf(present) ?? '')?.date;
    return offerNamed(this.aggregates, { flightNumber, date }, { passengers });
  }
}
