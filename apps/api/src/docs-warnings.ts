import type { OpenAPIObject } from '@nestjs/swagger';
import { warningsSchema, WITHOUT_WARNINGS } from '#http';
import { eachOperation, type Operation } from './openapi-operations.js';

type Responses = Operation['responses'];
type Response = Responses[string];

const JSON_TYPE = 'application/json';
const REFERENCE = { $ref: '#/components/schemas/Warned' };

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'handling=strict recusa com 422 o que a operação não conhece, em vez de ignorar com um aviso (RFC 7240).',
  schema: { type: 'string' },
} as const;

/** Documents what becomes of unknown names in each operation (docs/decisions.md, Unknown members). Wants the schema `Warning`. */
export const withWarningsDescribed = (document: OpenAPIObject): OpenAPIObject => {
  const warnings = warningsSchema({ $ref: '#/components/schemas/Warning' });
  const schemas = { ...document.components?.schemas, Warned: { type: 'object', properties: { warnings } } };
  return { ...eachOperation(document, described), components: { ...document.components, schemas } };
};

const described = (operation: Operation): Operation => ({
  ...operation,
  parameters: [...(operation.parameters ?? []), PREFER],
  responses: WITHOUT_WARNINGS in operation ? operation.responses : warned(operation.responses),
});

const warned = (responses: Responses): Responses => {
  const entries = Object.entries(responses).map(([status, response]) =>
    status.startsWith('2') ? ([status, warnedAnswer(response)] as const) : ([status, response] as const),
  );
  return Object.fromEntries<Response>(entries);
};

const warnedAnswer = (response: Response): Response => {
  if (!response || !('content' in response)) return response;
  const { [JSON_TYPE]: json, ...others } = response.content ?? {};
  if (!json?.schema) return response;
  const schema = { allOf: [json.schema, REFERENCE] };
  return { ...response, content: { [JSON_TYPE]: { ...json, schema }, ...others } };
};
