import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import {
  API,
  type BaseUrls,
  errorComponents,
  errorResponses,
  errorsBefore,
  warningsSchema,
  WarningView,
  withAddresses,
  WITHOUT_WARNINGS,
} from '#http';
import { ERROR_CODES, type ErrorCode, SCOPES } from '#kernel';
import { detailsSchemaUrl, SCOPE_WORDS } from '#oauth';
import { OPERATION_EXAMPLES } from './openapi-examples.js';
import { HEADERS, withHeaders } from './openapi-headers.js';
import { withMemberTexts } from './openapi-members.js';
import { eachOperation, type Method, type Operation } from './openapi-operations.js';
import { API_TEXT, OPERATION_TEXTS, TAG_TEXTS } from './openapi-texts.js';
import { dataViewOf, EVENT_TYPES, EVENT_WORDS, EventView, isEventType } from '#outbox';

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
const withWarningsDescribed = (document: OpenAPIObject): OpenAPIObject => {
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

const PREFIX = `/${API}`;

const scopeTexts = (language: 'text' | 'en') =>
  Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope][language]]));

/** The API as OpenAPI 3.1, from the controllers and DTOs themselves; paths are relative to `{base_url}`, its server. */
export const openApiDocument = (app: INestApplication, urls: BaseUrls): OpenAPIObject => {
  const { auth } = urls;
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Alçada')
    .setDescription(API_TEXT.description)
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(urls.base)
    .addOAuth2({
      type: 'oauth2',
      description:
        'OAuth 2.1: authorization code com PKCE (S256). Em authorization_details (RFC 9396) o agente pede mandatos de ' +
        `pagamento ao viajante; o esquema de cada um está em ${detailsSchemaUrl(urls)}. O pedido pode ser enviado antes ` +
        `(RFC 9126), a ${auth}/oauth/par.`,
      'x-scopes-en': scopeTexts('en'),
      flows: {
        authorizationCode: {
          authorizationUrl: `${auth}/oauth/authorize`,
          tokenUrl: `${auth}/oauth/token`,
          refreshUrl: `${auth}/oauth/token`,
          scopes: scopeTexts('text'),
        },
      },
    })
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Um token de acesso já obtido.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, settings, { extraModels: [WarningView, ...EVENT_VIEWS] });
  const paths = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .map(([path, item]) => [path.slice(PREFIX.length), item] as const);
  const relative = {
    ...document,
    info: { ...document.info, 'x-description-en': API_TEXT.en },
    tags: TAGS,
    paths: Object.fromEntries(paths),
    webhooks: WEBHOOKS,
  };
  const described = withWarningsDescribed(eachOperation(relative, withErrorsBefore));
  const operations = Object.values(described.paths).flatMap((item) => Object.values(item) as readonly Operation[]);
  const answered = new Set(operations.flatMap(codesOf));
  const codes = ERROR_CODES.filter((code) => answered.has(code));
  const { schemas, examples } = errorComponents(codes, urls);
  return withMemberTexts({
    ...eachOperation(described, (operation, method) => withTexts(withHeaders(operation, method), urls)),
    components: {
      ...described.components,
      schemas: { ...described.components?.schemas, ...schemas },
      examples,
      headers: HEADERS,
    },
  });
};

/** English texts stand beside the Portuguese ones, for clients that show them. */
const TAGS = Object.entries(TAG_TEXTS).map(([name, { title, titleEn, description, descriptionEn }]) => ({
  name,
  description,
  'x-title': title,
  'x-title-en': titleEn,
  'x-description-en': descriptionEn,
}));

/** An operation with its texts, and with examples of what it is sent and answers. */
const withTexts = (operation: Operation, urls: BaseUrls): Operation => {
  const { operationId = '', requestBody, responses } = operation;
  const texts = OPERATION_TEXTS[operationId];
  const example = withAddresses(OPERATION_EXAMPLES[operationId] ?? {}, urls);
  const shown = (response: Operation['responses'][string], status: string) => {
    if (!status.startsWith('2') || !response || !('description' in response)) return response;
    const content = Object.entries(response.content ?? {}).map(
      ([type, media]) =>
        [type, { ...media, example: type === JSON_TYPE ? example.answer : example.texts?.[type] }] as const,
    );
    return {
      ...response,
      ...(texts && { description: texts.answer, 'x-description-en': texts.answerEn }),
      content: Object.fromEntries(content),
    };
  };
  return {
    ...operation,
    ...(texts && {
      description: texts.description,
      'x-summary-en': texts.summaryEn,
      'x-description-en': texts.descriptionEn,
    }),
    ...(requestBody && 'content' in requestBody && { requestBody: withRequest(requestBody, example.request) }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, one]) => [status, shown(one, status)])),
  };
};

const withRequest = <Body extends { readonly content: object }>(body: Body, example: object | undefined): Body => ({
  ...body,
  content: Object.fromEntries(Object.entries(body.content).map(([type, media]) => [type, { ...media, example }])),
});

/** An operation with what may be answered before its handler, beside the errors that it lists itself. */
const withErrorsBefore = (operation: Operation, method: Method): Operation => {
  const before = errorsBefore({
    takesBody: method !== 'get',
    needsToken: (operation.security?.length ?? 0) > 0,
    takesKey: (operation.parameters ?? []).some((parameter) => 'name' in parameter && parameter.name === KEY_HEADER),
  });
  return {
    ...operation,
    responses: { ...operation.responses, ...errorResponses([...codesOf(operation), ...before]) },
  };
};

const KEY_HEADER = 'Idempotency-Key';

const codesOf = ({ responses }: Operation): readonly ErrorCode[] =>
  Object.values(responses).flatMap((response) => {
    const examples = (response && 'content' in response && response.content?.['application/json']?.examples) || {};
    return ERROR_CODES.filter((code) => Object.hasOwn(examples, code));
  });

const TYPES = Object.keys(EVENT_TYPES).filter(isEventType);

/** The views that `WEBHOOKS` point at. */
const EVENT_VIEWS = [EventView, ...new Set(TYPES.map(dataViewOf))];

/** What is sent of each type of event (OpenAPI 3.1 §4.8.1, webhooks). */
const WEBHOOKS = Object.fromEntries(
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
