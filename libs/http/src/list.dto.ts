import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsISO8601, IsString, Matches } from 'class-validator';
import { DomainError, type Instant, instantOf } from '#kernel';
import { answers, Optional } from './validation.js';

/** The form of RFC 3339 §5.6. A rule of its own checks the calendar: `Date` takes 30 February for 2 March. */
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const anInstant = answers(
  'invalid_query',
  'deve ser uma data e hora RFC 3339, como 2026-01-31T12:00:00Z, informada uma única vez',
);

/** A parameter of a query that may name an instant, with its description in Portuguese. `asInstant` reads it. */
export const IsInstant = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ format: 'date-time', description }),
    Optional(),
    Matches(INSTANT, anInstant),
    IsISO8601({ strict: true }, anInstant),
  );

/** Beyond these (ms) an offset leads to years without exactly four digits, which sort differently as strings. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)];

/** The instant that a parameter names; between two milliseconds the later one, so that comparisons keep its side. */
export const asInstant = (text: string | undefined): Instant | undefined => {
  if (text === undefined) return undefined;
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  return instantOf(Math.min(Math.max(Date.parse(text) + Number(isBetween), FIRST), LAST));
};

/** Whether one instant of RFC 3339 is before another, to the last of their digits. */
export const isBefore = (one: string, other: string): boolean => {
  const [first, second] = [Date.parse(one), Date.parse(other)];
  return first === second ? beyondMilliseconds(one) < beyondMilliseconds(other) : first < second;
};

const beyondMilliseconds = (text: string): string => (/\.\d{3}(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0');

const DEFAULT_LIMIT = 100;

/** Query parameters every list takes (docs/decisions.md, Lists). */
export class ListQueryDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 500, default: 100, description: 'Itens por página.' })
  @Optional()
  @Matches(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, answers('invalid_query', 'deve ser um inteiro de 1 a 500'))
  readonly limit?: string;

  @ApiPropertyOptional({ description: 'O nextCursor da página anterior.' })
  @Optional()
  @IsString(answers('invalid_query', 'deve ser informado uma única vez'))
  readonly cursor?: string;
}

export const pageOf = ({ limit, cursor }: ListQueryDto): { limit: number; cursor: string | undefined } => ({
  limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
  cursor,
});

/** What every list answers beside its items (docs/decisions.md, Lists). */
export class ListView {
  @ApiProperty({ type: 'integer', description: 'Total de itens que correspondem, até 10.000 (voos: todos).' })
  readonly count: number;

  @ApiPropertyOptional({
    type: Boolean,
    enum: [false],
    description: 'Presente, e então false, quando há mais de 10.000.',
  })
  readonly countIsExact?: false;

  @ApiProperty({ type: String, nullable: true, description: 'Cursor da próxima página; null na última.' })
  readonly nextCursor: string | null;
}

/** Query parameters of a list whose items are found by when they were created (docs/decisions.md, Lists). */
export class DatedListQueryDto extends ListQueryDto {
  @IsInstant('Só o que foi criado neste instante ou depois (RFC 3339).')
  readonly createdFrom?: string;

  @IsInstant('Só o que foi criado antes deste instante (RFC 3339).')
  readonly createdTo?: string;
}

/** When the items asked for were created. @throws DomainError `invalid_query` where the end does not come after the beginning */
export const createdOf = ({
  createdFrom,
  createdTo,
}: DatedListQueryDto): { readonly from: Instant | undefined; readonly to: Instant | undefined } => {
  if (createdFrom !== undefined && createdTo !== undefined && !isBefore(createdFrom, createdTo))
    throw new DomainError('invalid_query', [{ field: 'createdTo', message: 'deve vir depois de createdFrom' }]);
  return { from: asInstant(createdFrom), to: asInstant(createdTo) };
};

/** A further list that a list may have beside its items: of which view, and what it says. */
interface ListBeside {
  readonly of: Type;
  readonly description: string;
}

/** The view of a list of these, as OpenAPI and tools name it. `beside`: the lists that it may have beside its items. */
export const listOf = (item: Type, name: string, beside: Readonly<Record<string, ListBeside>> = {}): Type<ListView> => {
  @ApiSchema({ name })
  class NamedListView extends ListView {
    @ApiProperty({ type: [item], description: 'Uma página dos itens.' })
    readonly items: readonly object[];
  }
  for (const [member, { of, description }] of Object.entries(beside))
    ApiPropertyOptional({ type: [of], description })(NamedListView.prototype, member);
  return NamedListView;
};
