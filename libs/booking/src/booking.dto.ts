import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsDefined, IsInt, IsString, Max, Min } from 'class-validator';
import {
  answers,
  ConditionsView,
  HasMetadata,
  IsMetadata,
  listOf,
  type Metadata,
  MetadataDto,
  MoneyView,
  Optional,
  PricePartsView,
} from '#http';
import { partsOf } from '#events';
import { NamesDate } from '#catalog';
import { conditionsView } from '#site';
import type { BookedChoice } from './booking.state.js';
import {
  ContactDto,
  NamesContact,
  NamesTravellers,
  ShowsContact,
  ShowsTravellers,
  TravellerDto,
} from './travellers.dto.js';
import { type People, peopleIn } from './travellers.js';

/** In a change, null is no value of any field: `invalid_change`, before the field's own form (docs/decisions.md, Booking). */
export const NotNull = () => IsDefined(answers('invalid_change', 'não pode ser nulo'));

const PASSENGERS = answers('invalid_passengers', 'deve ser um inteiro de 1 a 9');

export const ShowsDepartureDate = () =>
  ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'Data local da partida; null: o voo não tem data.',
    example: '2026-12-03',
  });
export const ShowsDepartureAt = () =>
  ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'O instante da partida; null: o voo não tem data, ou a compra é de antes de ele ser anotado.',
    example: '2026-12-03T18:30:00.000Z',
  });

/** Body of `POST /bookings` (docs/interface.md, endpoint 5). Nothing given: an empty draft. */
@ApiSchema({ name: 'CreateBooking' })
export class CreateBookingDto {
  @ApiPropertyOptional({ example: 'AL4012', description: 'Número do voo; maiúsculas, espaços e hífens não contam.' })
  @Optional()
  @IsString(answers('invalid_flight', 'deve ser um texto'))
  readonly flightNumber?: string;

  @NamesDate('invalid_flight', 'Data local da partida; sem ela, a próxima partida com assentos para todos.')
  readonly date?: string;

  @ApiPropertyOptional({ example: 'CLASSICA', description: 'Código da tarifa, exatamente como no voo.' })
  @Optional()
  @IsString(answers('invalid_fare', 'deve ser um texto'))
  readonly fareCode?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 9, default: 1 })
  @Optional()
  @IsInt(PASSENGERS)
  @Min(1, PASSENGERS)
  @Max(9, PASSENGERS)
  readonly passengers?: number;

  @NamesTravellers()
  readonly travellers?: readonly TravellerDto[];

  @NamesContact()
  readonly contact?: ContactDto;

  @IsMetadata()
  readonly metadata?: MetadataDto;
}

/** Body of `PATCH /bookings/{id}` (docs/interface.md, endpoint 7): what is absent stays as it is. */
@ApiSchema({ name: 'ChangeBooking' })
export class ChangeBookingDto {
  @ApiPropertyOptional({ example: 'AL4012' })
  @Optional()
  @NotNull()
  @IsString(answers('invalid_flight', 'deve ser um texto'))
  readonly flightNumber?: string;

  @NotNull()
  @NamesDate('invalid_flight', 'Data local da partida; sem ela, a da reserva.')
  readonly date?: string;

  @ApiPropertyOptional({ example: 'COMPLETA' })
  @Optional()
  @NotNull()
  @IsString(answers('invalid_fare', 'deve ser um texto'))
  readonly fareCode?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 9 })
  @Optional()
  @NotNull()
  @IsInt(PASSENGERS)
  @Min(1, PASSENGERS)
  @Max(9, PASSENGERS)
  readonly passengers?: number;

  @NamesTravellers()
  @NotNull()
  readonly travellers?: readonly TravellerDto[];

  @NamesContact()
  @NotNull()
  readonly contact?: ContactDto;

  @IsMetadata()
  @NotNull()
  readonly metadata?: MetadataDto;
}

/** A booking as the interface shows it (docs/interface.md, Booking). */
@ApiSchema({ name: 'Booking' })
export class BookingView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true, example: 'AL4012' })
  readonly flightNumber: string | null;

  @ShowsDepartureDate()
  readonly departureDate: string | null;

  @ShowsDepartureAt()
  readonly departureAt: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'CLASSICA' })
  readonly fareCode: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 9, example: 1 })
  readonly passengers: number;

  @ApiProperty({ type: MoneyView, description: 'Preço para todos os passageiros.' })
  readonly total: MoneyView;

  @ApiProperty({ description: 'A moeda do total.', example: 'BRL' })
  readonly currency: string;

  @ApiProperty({ type: PricePartsView, description: 'De que o total é feito: tarifa mais taxas.' })
  readonly line: PricePartsView;

  @ApiProperty({
    type: ConditionsView,
    nullable: true,
    description: 'O que volta, se a viagem for cancelada; prometido como o total. null: ainda não há preço.',
  })
  readonly conditions: ConditionsView | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Até quando o total é prometido, não os assentos; null: sem fim, ou ainda não há preço.',
  })
  readonly expiresAt: string | null;

  @ShowsTravellers()
  readonly travellers?: readonly TravellerDto[];

  @ShowsContact()
  readonly contact?: ContactDto;

  @HasMetadata()
  readonly metadata: Metadata;
}

export const BookingListView = listOf(BookingView, 'BookingList');

export const bookingView = (
  {
    bookingId,
    flightNumber,
    departureDate,
    departureAt,
    fareCode,
    passengers,
    total,
    taxes,
    conditions,
    expiresAt,
  }: BookedChoice,
  metadata: Metadata = {},
  people: People = {},
): BookingView => ({
  id: bookingId,
  flightNumber,
  departureDate: departureDate ?? null,
  departureAt: departureAt ?? null,
  fareCode,
  passengers,
  total,
  currency: total.currency,
  line: partsOf(total, taxes),
  conditions: conditions ? conditionsView(conditions) : null,
  expiresAt: expiresAt ?? null,
  ...peopleIn(people),
  metadata,
});
