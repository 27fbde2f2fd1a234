import { bookingOperation, BookingView, changedBooking, CreateBookingDto, readBooking } from '#booking';
import { schemaOf } from '#http';
import { CHANGES, CREATES, fromBody, READS, scopedTool } from '../tool.js';
import { BookingArguments, ChangeBookingArguments } from './arguments.dto.js';

/** Bookings (docs/interface.md, endpoints 5 to 7). */
export const BOOKING_TOOLS = [
  scopedTool({
    name: 'create_booking',
    title: 'Criar uma reserva',
    description:
      'Cria uma reserva de um voo e uma tarifa para 1 a 9 passageiros, e diz o total. Nada é cobrado: o bilhete sai com ' +
      'place_order.',
    annotations: CREATES,
    scopes: ['booking:write'],
    input: fromBody(CreateBookingDto),
    outputSchema: schemaOf(BookingView),
    run: (body, call) => call.create(bookingOperation(call, body, call)),
  }),
  scopedTool({
    name: 'get_booking',
    title: 'Consultar uma reserva',
    description: 'Lê uma reserva do viajante.',
    annotations: READS,
    scopes: ['booking:write'],
    input: fromBody(BookingArguments),
    outputSchema: schemaOf(BookingView),
    run: ({ bookingId }, { bookings, caller }) => readBooking(bookings, bookingId, caller),
  }),
  scopedTool({
    name: 'change_booking',
    title: 'Alterar uma reserva',
    description:
      'Altera voo, tarifa ou passageiros de uma reserva que ainda não tem pedido nem bilhete. O que não é informado fica ' +
      'como está; o total passa a ser o preço de hoje.',
    annotations: CHANGES,
    scopes: ['booking:write'],
    input: fromBody(ChangeBookingArguments),
    outputSchema: schemaOf(BookingView),
    run: ({ bookingId, ...change }, call) => changedBooking(call, bookingId, change, call),
  }),
] as const;
