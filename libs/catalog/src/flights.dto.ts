import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Matches, MaxLength, Validate, ValidatorConstraint } from 'class-validator';
import { answers, ListQueryDto, Optional } from '#http';
import { DomainError } from '#kernel';
import { normalFlightNumber } from './flight.decider.js';
import { daysBetween, isDate } from './local-time.rule.js';
import { datesIn, type FlightOrder, ORDERS } from './matching-flights.js';

@ValidatorConstraint()
class IsDate {
  validate(value: unknown): boolean {
    return typeof value === 'string' && isDate(value);
  }
}

/** A member that may name a local date of departure; it answers with `code` where it is none. */
export const NamesDate = (code: 'invalid_query' | 'invalid_flight', description: string) =>
  applyDecorators(
    ApiPropertyOptional({ format: 'date', description }),
    Optional(),
    Validate(IsDate, answers(code, 'deve ser uma data AAAA-MM-DD, informada uma única vez')),
  );

const OF_DEPARTURE = 'Data local da partida; sem ela, a próxima partida com assentos.';

/** Query of `GET /flights/{flightNumber}`. */
export class DateDto {
  @NamesDate('invalid_query', OF_DEPARTURE)
  readonly date?: string;
}

export class QuoteFaresDto extends DateDto {
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

  @NamesDate('invalid_query', 'Data local da partida; sem ela, a próxima partida de cada voo com assentos.')
  readonly date?: string;

  @NamesDate(
    'invalid_query',
    'Com dateTo, em vez de date: a primeira data. Até 31 dias, com from, to ou o número do voo em q; com sort=price, o dia mais barato vem primeiro.',
  )
  readonly dateFrom?: string;

  @NamesDate('invalid_query', 'Com dateFrom: a última data.')
  readonly dateTo?: string;
}

const MOST_DAYS = 31;
/** What begins a flight number. */
const NUMBER = /^[A-Z0-9]{0,3}\d/;

/** A search whose dates make sense together. @throws DomainError `invalid_query` naming the member that does not */
export const searchIn = (query: SearchFlightsDto): SearchFlightsDto => {
  const { date, dateFrom, dateTo, q = '', from = '', to = '' } = query;
  const wrong = (field: string, message: string) => new DomainError('invalid_query', [{ field, message }]);
  if (dateFrom === undefined && dateTo === undefined) return query;
  if (date !== undefined) throw wrong('date', 'não pode vir com dateFrom e dateTo');
  const dates = datesIn(query);
  if (!dates) throw wrong(dateFrom === undefined ? 'dateFrom' : 'dateTo', 'deve vir com a outra data do período');
  const days = daysBetween(dates.first, dates.last);
  if (days < 1) throw wrong('dateTo', 'não pode vir antes de dateFrom');
  if (days > MOST_DAYS) throw wrong('dateTo', `deve deixar um período de até ${MOST_DAYS} dias`);
  // Words in q match most of a large catalogue, on each of the days.
  if ([from, to].every((text) => text.trim() === '') && !NUMBER.test(normalFlightNumber(q)))
    throw wrong('from', 'um período pede from, to ou o número do voo em q');
  return query;
};
