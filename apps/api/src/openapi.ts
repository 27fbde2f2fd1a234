import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API, type BaseUrls, errorResponses, errorsBefore, WarningView } from '#http';
import { ERROR_CODES, type ErrorCode, SCOPES } from '#kernel';
import { detailsSchemaUrl, SCOPE_WORDS } from '#oauth';
import { withWarningsDescribed } from './docs-warnings.js';
import { eachOperation, type Method, type Operation } from './openapi-operations.js';

const PREFIX = `/${API}`;

const SCOPE_TEXTS = Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope].text]));

/** The API as OpenAPI 3.1, from the controllers and DTOs themselves; paths are relative to `{base_url}`. */
export const openApiDocument = (app: INestApplication, urls: BaseUrls): OpenAPIObject => {
  const { auth } = urls;
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Alçada')
    .setDescription('API pela qual agentes autônomos compram voos, até a alçada que o viajante lhes deu.')
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(PREFIX)
    .addOAuth2({
      type: 'oauth2',
      description:
        'OAuth 2.1: authorization code com PKCE (S256). Em authorization_details (RFC 9396) o agente pede mandatos de ' +
        `pagamento ao viajante; o esquema de cada um está em ${detailsSchemaUrl(urls)}. O pedido pode ser enviado antes ` +
        `(RFC 9126), a ${auth}/oauth/par.`,
      flows: {
        authorizationCode: {
          authorizationUrl: `${auth}/oauth/authorize`,
          tokenUrl: `${auth}/oauth/token`,
          refreshUrl: `${auth}/oauth/token`,
          scopes: SCOPE_TEXTS,
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
  const document = SwaggerModule.createDocument(app, settings, { extraModels: [WarningView] });
  const paths = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .map(([path, item]) => [path.slice(PREFIX.length), item] as const);
  const relative = { ...document, paths: Object.fromEntries(paths) };
  return withWarningsDescribed(eachOperation(relative, withErrorsBefore));
};

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

/** The codes for which an operation shows an example. */
const codesOf = ({ responses }: Operation): readonly ErrorCode[] =>
  Object.values(responses).flatMap((response) => {
    const examples = (response && 'content' in response && response.content?.['application/json']?.examples) || {};
    return ERROR_CODES.filter((code) => Object.hasOwn(examples, code));
  });
