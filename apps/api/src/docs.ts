import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { createHash } from 'node:crypto';
import { API, type BaseUrls, WarningView } from '#http';
import { SCOPES } from '#kernel';
import { SCOPE_WORDS } from '#oauth';
import { pageHeaders } from '#site';
import { withWarningsDescribed } from './docs-warnings.js';

type PathItem = OpenAPIObject['paths'][string];

const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;
const STYLE = /<style>([\s\S]*?)<\/style>/g;

/**
 * Serves the description of the API: a page for people at `/docs`, JSON and YAML for programs. To be called before the
 * application is initialized. `playground`: the address where people get a token, or null.
 */
export const serveDocs = (app: NestFastifyApplication, document: OpenAPIObject, playground: string | null): void => {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (request, reply, payload) => {
      // Our own pages below that path have set stricter headers.
      const isSwagger = /^\/docs(?:[/?]|$)/.test(request.url) && !reply.hasHeader('content-security-policy');
      if (isSwagger) void reply.headers(docsHeaders(payload));
      return payload;
    });
  SwaggerModule.setup('docs', app, document, {
    ui: false,
    jsonDocumentUrl: 'api/v1/openapi.json',
    yamlDocumentUrl: 'api/v1/openapi.yaml',
  });
  SwaggerModule.setup('docs', app, forPeople(document, playground), {
    raw: false,
    customSiteTitle: 'Alçada: API',
    // No bar on top: its logo has an inline style.
    swaggerOptions: { layout: 'BaseLayout' },
  });
};

/**
 * The description as the page shows it. The page is no registered client and cannot run the authorization itself, so it
 * takes a token that the reader has, and each operation names its scopes.
 */
const forPeople = (document: OpenAPIObject, playground: string | null): OpenAPIObject => {
  const source = playground ? `, como o que se obtém em [${playground}](${playground})` : '';
  const bearer = { type: 'http', scheme: 'bearer', description: `Um token de acesso${source}.` } as const;
  const paths = Object.entries(document.paths).map(([path, item]) => [path, shown(item)] as const);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, securitySchemes: { bearer } },
  };
};

const shown = (item: PathItem): PathItem => {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    const scopes = operation?.security?.flatMap(({ oauth2 = [] }) => oauth2) ?? [];
    if (!operation || scopes.length === 0) return [];
    const text = `Escopos: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
    const description = [operation.description, text].filter(Boolean).join('\n\n');
    return [[method, { ...operation, description, security: [{ bearer: [] }] }] as const];
  });
  return { ...item, ...Object.fromEntries(operations) };
};

/** The headers of every page, except that scripts may run and call the API and that the page's own styles apply. */
const docsHeaders = (payload: unknown): Readonly<Record<string, string>> => {
  const { 'content-type': _type, 'cache-control': _caching, ...headers } = pageHeaders();
  const html = typeof payload === 'string' ? payload : '';
  const styles = [...html.matchAll(STYLE)].map(([, style = '']) => ` '${sha256(style)}'`).join('');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'self'${styles}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return { ...headers, 'content-security-policy': policy.join('; ') };
};

const sha256 = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const PREFIX = `/${API}`;

const SCOPE_TEXTS = Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope].text]));

/** The API as OpenAPI 3.1, from the controllers and DTOs themselves; paths are relative to `{base_url}`. */
export const openApiDocument = (app: INestApplication, { auth }: BaseUrls): OpenAPIObject => {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Alçada')
    .setDescription('API pela qual agentes autônomos compram voos, até a alçada que o viajante lhes deu.')
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(PREFIX)
    .addOAuth2({
      type: 'oauth2',
      description: 'OAuth 2.1: authorization code com PKCE (S256).',
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
  return withWarningsDescribed({ ...document, paths: Object.fromEntries(paths) });
};
