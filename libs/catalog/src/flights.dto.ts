import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { answers, ListQueryDto, Optional } from '#http';
import { type FlightOrder, ORDERS } from './matching-flights.js';

/** Query of `GET /flights/{flightNumber}/fares`. */
export class QuoteFaresDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 999_999_999_999,
    description: 'Orçamento em centavos, para todos os passageiros.',
    example: 120000,
  })
  @Matches(/^\d{1,12}$/, answers('invalid_budget', 'deve ser um inteiro em centavos, informado uma única vez'))
  readonly budget: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 9, default: 1, description: 'Número de passageiros.' })
  @Optional()
  @Matches(/^[1-9]$/, answers('invalid_passengers', 'deve ser um inteiro de 1 a 9'))
  @IsString(answers('invalid_query', 'deve ser informado uma única vez'))
  readonly passengers?: string;
}

const once = answers('invalid_query', 'deve ser informado uma única vez');

/** Query of `GET /flights`. */
export class SearchFlightsDto extends ListQueryDto {
  @ApiPropertyOptional({
    description:
      'Cidade de destino, código ou nome de aeroporto, ou número de voo, com ou sem as letras; ignora maiúsculas e acentos.',
    maxLength: 100,
    example: 'recife',
  })
  @Optional()
  @MaxLength(100, answers('invalid_query', 'deve ser informado uma única vez, com até 100 caracteres'))
  readonly q?: string;

  @ApiPropertyOptional({
    description: 'Aeroporto de origem: código IATA, nome ou cidade; ignora maiúsculas e acentos.',
    example: 'GRU',
  })
  @Optional()
  @IsString(once)
  readonly from?: string;

  @ApiPropertyOptional({
    description: 'Aeroporto de destino: código IATA, nome ou cidade; ignora maiúsculas e acentos.',
    example: 'REC',
  })
  @Optional()
  @IsString(once)
  readonly to?: string;

  @ApiPropertyOptional({
    enum: ORDERS,
    default: 'departure',
    description: 'Ordem: hora de partida, duração ou menor preço.',
  })
  @Optional()
  @IsIn(ORDERS, answers('invalid_query', 'deve ser departure, duration ou price'))
  readonly sort?: FlightOrder;
}
