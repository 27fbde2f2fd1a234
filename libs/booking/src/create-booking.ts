import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireAuthorizedAgent } from '#mandate';
import { Aggregates } from '#event-store';
import { Clock, type Context, type Party } from '#kernel';
import { AttachedMetadata, type Metadata } from '#metadata';
import { ReadModels } from '#read-models';
import { bookings } from './booking.decider.js';
import type { BookedChoice } from './booking.state.js';
import { offerOf } from './pricing.js';
import { type BookingRequest, priced } from './pricing.rule.js';

/** Books, for the traveller `holder` through the agent `clientId`. `bookingId` is minted by the caller. */
export class CreateBooking extends Command<BookedChoice> {
  constructor(
    readonly bookingId: string,
    readonly party: Party,
    readonly request: BookingRequest,
    readonly context: Context,
    readonly metadata: Metadata = {},
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
    private readonly readModels: ReadModels,
    private readonly attached: AttachedMetadata,
  ) {}

  async execute({ bookingId, party, request, context, metadata }: CreateBooking): Promise<BookedChoice> {
    await requireAuthorizedAgent(this.aggregates, party);
    const choice = priced(await offerOf(this.aggregates, request.flightId), request, this.clock.now());
    const { holder, clientId } = party;
    const command = { type: 'CreateBooking', bookingId, holder, clientId, choice } as const;
    await this.attached.keep(bookingId, party, metadata);
    const { state, position } = await this.aggregates.begin(bookings, bookingId, command, context);
    await this.readModels.waitFor(bookings, position);
    // As it stands: sent twice at once, the booking has the price of the one that was first.
    return { bookingId, ...(state.kind === 'none' ? choice : state.choice) };
  }
}
