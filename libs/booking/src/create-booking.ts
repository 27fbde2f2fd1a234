import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireAuthorizedAgent } from '#mandate';
import { Aggregates } from '#event-store';
import { Clock, type Context, DomainError, type Party } from '#kernel';
import { AttachedMetadata, type Metadata } from '#http';
import { type BookingRequest, bookings, type Offer, priced } from './booking.decider.js';
import type { BookedChoice } from './booking.state.js';
import { departureOf, flightAsItIs, flightMeant, saleEndOf, type ScheduledFlight } from '#catalog';
import { checkTravellers, isNobody, type People, Travellers } from './travellers.js';

/** A value; the class is its own token. */
export abstract class BookingSettings {
  /** How long (ms) the price of a booking is promised. */
  abstract readonly promise: number;
}

/** What a request calls a flight. */
export interface NamedFlight {
  readonly flightNumber?: string | undefined;
  /** Its local date of departure. */
  readonly date?: string | undefined;
}

/** Books, for the traveller `holder` through the agent `clientId`. `bookingId` is minted by the caller. */
export class CreateBooking extends Command<BookedChoice> {
  constructor(
    readonly bookingId: string,
    readonly party: Party,
    readonly request: BookingRequest,
    readonly context: Context,
    readonly metadata: Metadata = {},
    readonly people: People = {},
    /** Absent: the request names the flight by its id. */
    readonly flight?: NamedFlight,
  ) {
    super();
  }
}

/** Prices what is asked for at today's fare and creates the booking. Seats are not checked: only orders take them. */
@CommandHandler(CreateBooking)
export class CreateBookingHandler implements ICommandHandler<CreateBooking> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly attached: AttachedMetadata,
    private readonly settings: BookingSettings,
    private readonly travellers: Travellers,
  ) {}

  async execute(command: CreateBooking): Promise<BookedChoice> {
    const { bookingId, party, context, metadata, people, flight } = command;
    await requireAuthorizedAgent(this.aggregates, party);
    const offer = flight
      ? await offerNamed(this.aggregates, flight, command.request)
      : await offerOf(this.aggregates, command.request.flightId);
    const now = this.clock.now();
    const choice = priced(offer, command.request, now, this.settings.promise);
    checkTravellers(people, choice.passengers, { now, departs: offer?.departureDate ?? null });
    const { holder, clientId } = party;
    const named = !isNobody(people);
    const create = { type: 'CreateBooking', bookingId, holder, clientId, choice, named } as const;
    await this.attached.keep(bookingId, party, metadata);
    await this.travellers.keep(bookingId, party, people);
    const { state } = await this.aggregates.begin(bookings, bookingId, create, context);
    // As it stands: sent twice at once, the booking has the price of the one that was first.
    return { bookingId, ...(state.kind === 'none' ? choice : state.choice) };
  }
}

/** The flight that a request calls so; no date does it alone. @throws DomainError `invalid_flight` */
export const offerNamed = async (
  aggregates: Aggregates,
  { flightNumber, date }: NamedFlight,
  { passengers }: { readonly passengers: number },
): Promise<Offer> => {
  if (flightNumber === undefined) throw new DomainError('invalid_flight');
  return offerFrom(await flightMeant(aggregates, { flightNumber, date, passengers }));
};

/** A flight by its id; null: there is none to be booked. @throws DomainError `invalid_flight` */
export const offerOf = async (aggregates: Aggregates, flightId: string | null): Promise<Offer | null> => {
  if (flightId === null) return null;
  const state = await flightAsItIs(aggregates, flightId);
  if (state.status === 'unscheduled') throw new DomainError('invalid_flight');
  return offerFrom(state);
};

/** What a flight offers, as it was read. */
export const offerFrom = ({ flight }: ScheduledFlight): Offer => ({
  flightId: flight.flightId,
  flightNumber: flight.flightNumber,
  currency: flight.currency,
  fares: flight.fares,
  departureDate: flight.departureDate,
  departureAt: departureOf(flight),
  closesAt: saleEndOf(flight),
  isCancelled: flight.cancelledAt !== undefined,
});
