import { Controller, Get, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  AcceptsIdempotencyKey,
  API,
  ApiErrors,
  changed,
  createdOf,
  CurrentCaller,
  CurrentRequest,
  DatedListQueryDto,
  type IdempotentOperation,
  IdempotentRequests,
  JsonBody,
  pageOf,
  PrivateRead,
  QueryString,
  type RequestContext,
  RequireScopes,
} from '#http';
import type { Caller, Party } from '#kernel';
import { BookingListView, BookingView, bookingView, ChangeBookingDto, CreateBookingDto } from './booking.dto.js';
import type { BookedChoice } from './booking.state.js';
import { Bookings } from './bookings.js';
import { ChangeBooking } from './change-booking.js';
import { CreateBooking, type NamedFlight } from './create-booking.js';
import { peopleIn } from './travellers.js';

/** Bookings (docs/interface.md, endpoints 5 to 7, and the list of docs/decisions.md, Lists). */
@ApiTags('bookings')
@Controller(`${API}/bookings`)
export class BookingsController {
  constructor(
    readonly commands: CommandBus,
    readonly bookings: Bookings,
    private readonly idempotent: IdempotentRequests,
  ) {}

  @Post()
  @HttpCode(201)
  @RequireScopes('booking:write')
  @AcceptsIdempotencyKey()
  @ApiOperation({ operationId: 'createBooking', summary: 'Cria uma reserva' })
  @ApiBody({ type: CreateBookingDto, required: false })
  @ApiCreatedResponse({ type: BookingView })
  @ApiErrors(
    'invalid_body',
    'invalid_flight',
    'invalid_fare',
    'invalid_passengers',
    'invalid_travellers',
    'invalid_metadata',
    'flight_departed',
    'flight_cancelled',
  )
  async create(
    @JsonBody(CreateBookingDto, 'allowed') body: CreateBookingDto,
    @CurrentRequest() by: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BookingView> {
    const booking = await this.idempotent.run(reply, bookingOperation(this, body, by));
    void reply.header('location', `${by.urls.base}/bookings/${booking.id}`);
    return booking;
  }

  @Get()
  @RequireScopes('booking:write')
  @PrivateRead()
  @ApiOperation({ operationId: 'listBookings', summary: 'Lista as reservas do viajante, da mais nova à mais antiga' })
  @ApiOkResponse({ type: BookingListView })
  @ApiErrors('invalid_query', 'invalid_cursor')
  async list(@QueryString(DatedListQueryDto) query: DatedListQueryDto, @CurrentCaller() caller: Caller) {
    const { page, metadata } = await this.bookings.attached.page(
      caller,
      pageOf(query),
      (part) => this.bookings.list(caller.holder, part, createdOf(query)),
      ({ bookingId }) => bookingId,
    );
    const people = await this.bookings.travellers.ofEach(
      page.items.map(({ bookingId: id, named }) => ({ id, named })),
      caller,
    );
    const items = page.items.map((item) => bookingView(item, metadata.get(item.bookingId), people.get(item.bookingId)));
    return { ...page, items };
  }

  @Get(':id')
  @RequireScopes('booking:write')
  @PrivateRead()
  @ApiOperation({ operationId: 'getBooking', summary: 'Lê uma reserva' })
  @ApiOkResponse({ type: BookingView })
  @ApiErrors('booking_not_found')
  get(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<BookingView> {
    return readBooking(this.bookings, id, caller);
  }

  @Patch(':id')
  @RequireScopes('booking:write')
  @ApiOperation({ operationId: 'changeBooking', summary: 'Altera voo, tarifa ou passageiros de uma reserva' })
  @ApiBody({ type: ChangeBookingDto })
  @ApiOkResponse({ type: BookingView })
  @ApiErrors(
    'invalid_body',
    'booking_not_found',
    'invalid_change',
    'invalid_flight',
    'invalid_fare',
    'invalid_passengers',
    'invalid_travellers',
    'invalid_metadata',
    'flight_departed',
    'flight_cancelled',
    'booking_locked',
  )
  change(
    @Param('id') id: string,
    @JsonBody(ChangeBookingDto, 'invalid_change') body: ChangeBookingDto,
    @CurrentRequest() by: RequestContext,
  ): Promise<BookingView> {
    return changedBooking(this, id, body, by);
  }
}

interface Desk {
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly bookings: Bookings;
}

/** How a booking is created, whichever channel its agent uses (docs/interface.md, endpoint 5). */
export const bookingOperation = (
  { commands, bookings }: Desk,
  body: CreateBookingDto,
  { caller, context }: RequestContext,
): IdempotentOperation<BookingView> => {
  const { flightNumber, date, fareCode = null, passengers = 1 } = body;
  const request = { flightId: null, fareCode, passengers };
  const metadata = changed({}, body.metadata ?? {});
  const people = peopleIn(body);
  return {
    begin: async (id) =>
      bookingView(
        await commands.execute(
          new CreateBooking(id, caller, request, context, metadata, people, flightNamed({ flightNumber, date })),
        ),
        metadata,
        people,
      ),
    outcomeOf: (id) => readBooking(bookings, id, caller),
  };
};

const flightNamed = (named: NamedFlight): NamedFlight | undefined =>
  named.flightNumber === undefined && named.date === undefined ? undefined : named;

export const readBooking = async (bookings: Bookings, id: string, caller: Party): Promise<BookingView> =>
  shownTo(caller, bookings, await bookings.get(id, caller.holder));

const shownTo = async (caller: Party, bookings: Bookings, booking: BookedChoice): Promise<BookingView> => {
  const { bookingId: id, named } = booking;
  const [metadata, people] = await Promise.all([
    bookings.attached.notedOn(id, caller),
    bookings.travellers.of({ id, named }, caller),
  ]);
  return bookingView(booking, metadata, people);
};

/** The change of a booking, whichever channel its agent uses (docs/interface.md, endpoint 7): what is not named stays. */
export const bookingChange = (
  id: string,
  { flightNumber, date, fareCode, passengers, metadata, ...people }: ChangeBookingDto,
  { caller: { holder, clientId }, context }: Omit<RequestContext, 'urls'>,
): ChangeBooking => {
  const changes = {
    ...(fareCode !== undefined && { fareCode }),
    ...(passengers !== undefined && { passengers }),
  };
  const flight = flightNamed({ flightNumber, date });
  return new ChangeBooking(id, { holder, clientId }, changes, context, metadata, peopleIn(people), flight);
};

export const changedBooking = async (
  { commands, bookings }: Desk,
  id: string,
  body: ChangeBookingDto,
  by: Omit<RequestContext, 'urls'>,
): Promise<BookingView> => shownTo(by.caller, bookings, await commands.execute(bookingChange(id, body, by)));
