import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { answers, Optional } from './validation.js';

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

/** The page asked for: how many items at most, and where it starts. */
export const pageOf = ({ limit, cursor }: ListQueryDto): { limit: number; cursor: string | undefined } => ({
  limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
  cursor,
});

/** A further list that a list may have beside its items: of which view, and what it says. */
interface ListBeside {
  readonly of: Type;
  readonly description: string;
}

/**
 * The form of a list (docs/decisions.md, Lists): how many match in all, one page of them, and where the next starts. `beside`:
 * what else it may have.
 */
export const listSchema = <Item extends object>(items: Item, beside?: object) => ({
  type: 'object' as const,
  required: ['count', 'items', 'nextCursor'],
  properties: {
    count: { type: 'integer' as const, description: 'Total de itens que correspondem, até 10.000 (voos: todos).' },
    countIsExact: {
      type: 'boolean' as const,
      enum: [false],
      description: 'Presente, e então false, quando há mais de 10.000.',
    },
    items: { type: 'array' as const, items },
    nextCursor: {
      type: ['string', 'null'] as ['string', 'null'],
      description: 'Cursor da próxima página; null na última.',
    },
    ...beside,
    ...beside,
  },
});

/** Documents a list, and the lists that it may have beside its items. */
export const ApiListResponse = (item: Type, beside: Readonly<Record<string, ListBeside>> = {}) => {
  const further = Object.entries(beside).map(
    ([name, { of, description }]) =>
      [name, { type: 'array' as const, items: { $ref: getSchemaPath(of) }, description }] as const,
  );
  const schema = listSchema({ $ref: getSchemaPath(item) }, Object.fromEntries(further));
  return applyDecorators(ApiExtraModels(item, ...Object.values(beside).map(({ of }) => of)), ApiOkResponse({ schema }));
};
