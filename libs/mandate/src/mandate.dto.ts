import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { answers, Closed, DatedListQueryDto, eitherOf, IsMetadata, MetadataDto, Optional } from '#http';
import { CHARGE_SCOPES, CURRENCIES, type Currency, MANDATE_SCOPES, type Scope } from '#kernel';
import { MANDATE_STATUSES, type MandateStatus } from './mandate.state.js';

/** The highest ceiling a mandate may have, in cents (docs/decisions.md, Mandate). */
export const MAX_LIMIT = 10 ** 12;
const SCOPE = answers('invalid_mandate_scope', 'deve ser uma lista não vazia e sem repetições dos escopos conhecidos');
const LIMIT = answers('invalid_limit', `deve ser um inteiro de 1 a ${MAX_LIMIT} centavos`);
const VALIDITY = answers('invalid_validity', 'deve ser um inteiro de 1 a 10080');

@ApiSchema({ name: 'MandateLimit' })
export class LimitDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, example: 250000 })
  @IsInt(LIMIT)
  @Min(1, LIMIT)
  @Max(MAX_LIMIT, LIMIT)
  readonly amount: number;

  @ApiProperty({ enum: CURRENCIES, example: 'BRL' })
  @IsIn(CURRENCIES, answers('invalid_currency', `deve ser ${eitherOf(CURRENCIES)}`))
  readonly currency: Currency;
}

const AIRPORTS = answers('invalid_constraints', 'deve ser uma lista de 1 a 20 códigos de aeroporto, sem repetições');
const PRICE = answers('invalid_constraints', `deve ser um inteiro de 1 a ${MAX_LIMIT} centavos`);
const ORDERS = answers('invalid_constraints', 'deve ser um inteiro de 1 a 1000');

const AIRPORT = /^[A-Z]{3}$/;

const IsAirports = () =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', pattern: AIRPORT.source },
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      example: ['GRU', 'CGH'],
    }),
    Optional(),
    IsArray(AIRPORTS),
    ArrayNotEmpty(AIRPORTS),
    ArrayMaxSize(20, AIRPORTS),
    ArrayUnique(AIRPORTS),
    Matches(AIRPORT, { ...AIRPORTS, each: true }),
  );

/** The highest price of a seat: integer cents, in the currency of the ceiling. */
@ApiSchema({ name: 'SeatPrice' })
@Closed()
export class SeatPriceDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, example: 70000 })
  @IsInt(PRICE)
  @Min(1, PRICE)
  @Max(MAX_LIMIT, PRICE)
  readonly amount: number;

  @ApiProperty({ enum: CURRENCIES, example: 'BRL' })
  @IsIn(CURRENCIES, answers('invalid_constraints', `deve ser ${eitherOf(CURRENCIES)}`))
  readonly currency: Currency;
}

/** A bound of what one order costs, in the same form. */
@ApiSchema({ name: 'OrderBound' })
@Closed()
export class OrderBoundDto extends SeatPriceDto {}

const BOUND = answers('invalid_constraints', 'deve ser um objeto com amount e currency');

/** What one order may cost in all, with taxes, and has to. */
@ApiSchema({ name: 'OrderTotalBounds' })
@Closed()
export class OrderTotalDto {
  @ApiPropertyOptional({ type: OrderBoundDto, description: 'No mínimo; na moeda do teto.' })
  @Optional()
  @IsObject(BOUND)
  @ValidateNested()
  readonly min?: OrderBoundDto;

  @ApiProperty({ type: OrderBoundDto, description: 'No máximo; na moeda do teto.' })
  @IsObject(BOUND)
  @ValidateNested()
  readonly max: OrderBoundDto;
}

/** What a mandate may be spent on, beside its ceiling (docs/decisions.md, Mandate). */
@ApiSchema({ name: 'CreateMandateConstraints' })
@Closed()
export class ConstraintsDto {
  @IsAirports()
  readonly from?: readonly string[];

  @IsAirports()
  readonly to?: readonly string[];

  @ApiPropertyOptional({ type: SeatPriceDto, description: 'Preço de um assento, no máximo; na moeda do teto.' })
  @Optional()
  @IsObject(BOUND)
  @ValidateNested()
  readonly maxPricePerSeat?: SeatPriceDto;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1000, description: 'Pedidos, no máximo.' })
  @Optional()
  @IsInt(ORDERS)
  @Min(1, ORDERS)
  @Max(1000, ORDERS)
  readonly maxOrders?: number;

  @ApiPropertyOptional({ type: OrderTotalDto, description: 'Total de cada pedido, com taxas.' })
  @Optional()
  @IsObject(answers('invalid_constraints', 'deve ser um objeto com max e, se preciso, min'))
  @ValidateNested()
  readonly orderTotal?: OrderTotalDto;
}

/** Body of `POST /mandates` (docs/interface.md, endpoint 8). */
@ApiSchema({ name: 'CreateMandate' })
export class CreateMandateDto {
  @ApiPropertyOptional({
    enum: MANDATE_SCOPES,
    isArray: true,
    minItems: 1,
    maxItems: MANDATE_SCOPES.length,
    uniqueItems: true,
    default: CHARGE_SCOPES,
    description: 'O que o mandato autoriza; uma cobrança precisa de order:write e payment:execute.',
  })
  @Optional()
  @IsArray(SCOPE)
  @ArrayNotEmpty(SCOPE)
  @ArrayMaxSize(MANDATE_SCOPES.length, SCOPE)
  @ArrayUnique(SCOPE)
  @IsIn(MANDATE_SCOPES, { ...SCOPE, each: true })
  readonly scope?: readonly Scope[];

  @ApiProperty({ type: LimitDto })
  @IsObject(answers('invalid_limit', 'deve ser um objeto com amount e currency'))
  @ValidateNested()
  readonly limit: LimitDto;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 10080, default: 60 })
  @Optional()
  @IsInt(VALIDITY)
  @Min(1, VALIDITY)
  @Max(10080, VALIDITY)
  readonly durationMinutes?: number;

  @ApiPropertyOptional({
    type: ConstraintsDto,
    description: 'O que mais o mandato exige de uma compra; nomes desconhecidos são recusados.',
  })
  @Optional()
  @IsObject(answers('invalid_constraints', 'deve ser um objeto'))
  @ValidateNested()
  readonly constraints?: ConstraintsDto;

  @IsMetadata()
  readonly metadata?: MetadataDto;
}

export class ListMandatesDto extends DatedListQueryDto {
  @ApiPropertyOptional({ enum: MANDATE_STATUSES })
  @Optional()
  @IsIn(MANDATE_STATUSES, answers('invalid_query', `deve ser ${eitherOf(MANDATE_STATUSES)}`))
  readonly status?: MandateStatus;
}
