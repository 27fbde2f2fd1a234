import { getSchemaPath } from '@nestjs/swagger';
import { dataViewOf, EVENT_TYPES, EVENT_WORDS, EventView, isEventType } from '#outbox';

const TYPES = Object.keys(EVENT_TYPES).filter(isEventType);

/** The views that `WEBHOOKS` point at. */
export const EVENT_VIEWS = [EventView, ...new Set(TYPES.map(dataViewOf))];

/** What is sent of each type of event (OpenAPI 3.1 §4.8.1, webhooks). */
export const WEBHOOKS = Object.fromEntries(
  TYPES.map((type) => {
    const { text, en } = EVENT_WORDS[type];
    const properties = {
      type: { enum: [type], description: text, 'x-description-en': en },
      data: {
        $ref: getSchemaPath(dataViewOf(type)),
        description: 'O recurso como era então.',
        'x-description-en': 'The resource as it was then.',
      },
    };
    const schema = { allOf: [{ $ref: getSchemaPath(EventView) }, { type: 'object', properties }] };
    const post = {
      operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
      tags: ['events'],
      summary: text,
      'x-summary-en': en,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Recebido.', 'x-description-en': 'Received.' } },
    };
    return [type, { post }] as const;
  }),
);
