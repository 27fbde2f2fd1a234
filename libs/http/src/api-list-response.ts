import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/** Documents a list (design.md §5, Lists): how many match in all, one page of them, and where the next starts. */
export const ApiListResponse = (item: Type) =>
  applyDecorators(
    ApiExtraModels(item),
    ApiOkResponse({
      schema: {
        type: 'object',
        required: ['count', 'items', 'nextCursor'],
        properties: {
          count: { type: 'integer', description: 'Total de itens que correspondem.' },
          items: { type: 'array', items: { $ref: getSchemaPath(item) } },
          nextCursor: { type: ['string', 'null'], description: 'Cursor da próxima página; null na última.' },
        },
      },
    }),
  );
