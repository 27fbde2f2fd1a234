import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { answers, ListQueryDto, Optional } from '#http';
import { CHARGE_SCOPES, CURRENCIES, type Currency, type Scope, SCOPES } from '#kernel';
import { MANDATE_STATUSES, type MandateStatus } from './mandate.state.js';

/** The highest ceiling a mandate may have, in cents (docs/decisions.md, Mandate). */
const MAX_LIMIT = 10 ** 12;
const SCOPE = answers('invalid_mandate_scope', 'deve ser uma lista não vazia e sem repetições dos escopos conhecidos');
const LIMIT = answers('invalid_limit', `deve ser um inteiro de 1 a ${MAX_LIMIT} centavos`);
const VALIDITY = answers('invalid_validity', 'deve ser um inteiro de 1 a 10080');

/** A spending ceiling: integer cents with a currency. */
export class LimitDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, example: 250000 })
  @IsInt(LIMIT)
  @Min(1, LIMIT)
  @Max(MAX_LIMIT, LIMIT)
  readonly amount: number;

  @ApiProperty({ enum: CURRENCIES, example: 'BRL' })
  @IsIn(CURRENCIES, answers('invalid_currency', `deve ser ${CURRENCIES.join(', ')}`))
  readonly currency: Currency;
}

/** Body of `POST /mandates` (docs/interface.md, endpoint 8). */
export class CreateMandateDto {
  @ApiPropertyOptional({
    enum: SCOPES,
    isArray: true,
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    default: CHARGE_SCOPES,
    description: 'O que o mandato autoriza; uma cobrança precisa de order:write e payment:execute.',
  })
  @Optional()
  @IsArray(SCOPE)
  @ArrayNotEmpty(SCOPE)
  @ArrayMaxSize(SCOPES.length, SCOPE)
  @ArrayUnique(SCOPE)
  @IsIn(SCOPES, { ...SCOPE, each: true })
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
}

/** Query of `GET /mandates`. */
export class ListMandatesDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: MANDATE_STATUSES })
  @Optional()
  @IsIn(MANDATE_STATUSES, answers('invalid_query', `deve ser ${MANDATE_STATUSES.join(', ')}`))
  readonly status?: MandateStatus;
}
