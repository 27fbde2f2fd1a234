import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/** The form of a list (docs/decisions.md, Lists): how many match in all, one page of them, and where the next starts. */
export const listSchema = <Item extends object>(items: Item) => ({
  type: 'object' as const,
  required: ['count', 'items', 'nextCursor'],
  properties: {
    count: { type: 'integer' as const, description: 'Total de itens que correspondem.' },
    items: { type: 'array' as const, items },
    nextCursor: {
      type: ['string', 'null'] as ['string', 'null'],
      description: 'Cursor da próxima página; null na última.',
    },
  },
});

/** Documents a list. */
export const ApiListResponse = (item: Type) =>
  applyDecorators(ApiExtraModels(item), ApiOkResponse({ schema: listSchema({ $ref: getSchemaPath(item) }) }));
