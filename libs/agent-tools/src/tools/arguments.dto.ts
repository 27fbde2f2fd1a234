import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChangeBookingDto } from '#booking';
import { DateDto, QuoteFaresDto, SearchFlightsDto } from '#catalog';
import { answers } from '#http';
import { IsString } from 'class-validator';

const TEXT = answers('invalid_arguments', 'deve ser um texto');
const FLIGHT_NUMBER = {
  description: 'Número do voo; maiúsculas, espaços e hífens não contam.',
  example: 'AL4012',
} as const;

/** How many flights a tool answers unless it is asked for more: fewer than the API, since a model reads each of them. */
export const FEW_FLIGHTS = 10;

export class SearchFlightsArguments extends SearchFlightsDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 500,
    default: FEW_FLIGHTS,
    description: 'Voos por página.',
  })
  declare readonly limit?: string;
}

export class FlightArguments extends DateDto {
  @ApiProperty(FLIGHT_NUMBER)
  @IsString(TEXT)
  readonly flightNumber: string;
}

export class QuoteFaresArguments extends QuoteFaresDto {
  @ApiProperty(FLIGHT_NUMBER)
  @IsString(TEXT)
  readonly flightNumber: string;
}

export class BookingArguments {
  @ApiProperty({ format: 'uuid', description: 'O id da reserva.' })
  @IsString(TEXT)
  readonly bookingId: string;
}

export class ChangeBookingArguments extends ChangeBookingDto {
  @ApiProperty({ format: 'uuid', description: 'O id da reserva a mudar.' })
  @IsString(TEXT)
  readonly bookingId: string;
}

export class MandateArguments {
  @ApiProperty({ format: 'uuid', description: 'O id do mandato.' })
  @IsString(TEXT)
  readonly mandateId: string;
}

export class CancellationArguments {
  @ApiProperty({ format: 'uuid', description: 'O id do pedido.' })
  @IsString(TEXT)
  readonly orderId: string;

  @ApiProperty({ format: 'uuid', description: 'O id da cotação de quote_cancellation.' })
  @IsString(TEXT)
  readonly cancellationId: string;
}

export class OrderArguments {
  @ApiProperty({ format: 'uuid', description: 'O id do pedido.' })
  @IsString(TEXT)
  readonly orderId: string;
}
