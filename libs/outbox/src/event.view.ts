import type { Type } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MoneyView, schemaOf, viewWithout } from '#http';
import { MandateView } from '#mandate';
import { OrderView } from '#order';
import { EVENT_TYPES, type EventType, isEventType } from './event-types.js';

@ApiSchema({ name: 'EventTicket' })
export class EventTicketView {
  @ApiProperty({ example: '9770000000014' })
  readonly ticketCode: string;
}

/** An order as it was, without what is of persons or of the agent that placed it. */
@ApiSchema({ name: 'OrderEventData' })
export class OrderEventView extends viewWithout(OrderView, ['metadata', 'travellers', 'contact', 'tickets']) {
  @ApiProperty({ type: [EventTicketView], description: 'Um bilhete por passageiro, depois de pago.' })
  readonly tickets: readonly EventTicketView[];

  @ApiProperty({ format: 'uuid', description: 'O mandato que paga.' })
  readonly mandateId: string;
}

const CHALLENGES = ['waiting', 'approved', 'denied'] as const;

@ApiSchema({ name: 'ChallengeEventData' })
export class ChallengeEventView {
  @ApiProperty({ format: 'uuid' })
  readonly orderId: string;

  @ApiProperty({ format: 'uuid', description: 'O mandato que paga.' })
  readonly mandateId: string;

  @ApiProperty({ enum: CHALLENGES, description: 'O que o viajante disse até então.' })
  readonly status: (typeof CHALLENGES)[number];

  @ApiProperty({ type: MoneyView })
  readonly grandTotal: MoneyView;

  @ApiProperty({ format: 'uri', description: 'A página em que o viajante decide.' })
  readonly url: string;

  @ApiProperty({ format: 'date-time', description: 'Até quando ele pode decidir.' })
  readonly expiresAt: string;
}

@ApiSchema({ name: 'MandateEventData' })
export class MandateEventView extends viewWithout(MandateView, ['metadata']) {}

@ApiSchema({ name: 'AgentEventData' })
export class AgentEventView {
  @ApiProperty({ description: 'O agente, pelo seu client_id.' })
  readonly clientId: string;

  @ApiProperty({ format: 'date-time', description: 'Desde quando nada mais lhe é permitido.' })
  readonly revokedAt: string;
}

@ApiSchema({ name: 'FlightEventData' })
export class FlightEventView {
  @ApiProperty({ example: 'AL4012.2026-12-03' })
  readonly flightId: string;

  @ApiProperty({ example: 'AL4012' })
  readonly flightNumber: string;

  @ApiProperty({ example: 'GRU' })
  readonly from: string;

  @ApiProperty({ example: 'REC' })
  readonly to: string;

  @ApiProperty({ type: String, nullable: true, format: 'date' })
  readonly departureDate: string | null;

  @ApiProperty({ example: '15:30' })
  readonly departureTime: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  readonly departureAt: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly cancelledAt: string;

  @ApiProperty({ type: [String], description: 'Os pedidos deste agente neste voo.' })
  readonly orderIds: readonly string[];
}

/** The view of what an event of a type says. */
export const dataViewOf = (type: EventType): Type => {
  if (type.startsWith('order.')) return OrderEventView;
  if (type.startsWith('challenge.')) return ChallengeEventView;
  if (type.startsWith('mandate.')) return MandateEventView;
  return type === 'agent.revoked' ? AgentEventView : FlightEventView;
};

@ApiSchema({ name: 'Event' })
export class EventView {
  @ApiProperty({ description: 'Sempre o mesmo para o mesmo acontecimento.', example: 'evt_0b9d3c' })
  readonly id: string;

  @ApiProperty({ enum: Object.keys(EVENT_TYPES) })
  readonly type: EventType;

  @ApiProperty({ format: 'date-time', description: 'Quando aconteceu.' })
  readonly timestamp: string;

  @ApiProperty({ description: 'De onde continuar: opaco.' })
  readonly cursor: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'O recurso como era então; a forma por tipo está em /events/schemas/{type}.json.',
  })
  readonly data: object;
}

@ApiSchema({ name: 'EventPage' })
export class EventPageView {
  @ApiProperty({ type: [EventView], description: 'Do mais antigo ao mais novo.' })
  readonly items: readonly EventView[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'De onde continuar, também quando nada mais há por agora; null: nada aconteceu ainda.',
  })
  readonly nextCursor: string | null;
}

/** The JSON Schema (2020-12) of an event of a type, as it is published; null: there is no such type. */
export const eventSchema = (type: string, base: string): object | null => {
  if (!isEventType(type)) return null;
  const { properties, ...whole } = schemaOf(EventView, true);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${base}/events/schemas/${type}.json`,
    title: type,
    ...whole,
    properties: { ...properties, type: { const: type }, data: schemaOf(dataViewOf(type), true) },
  };
};
