import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { dump } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { API, isPublicUnchanged } from '#http';
import { type Asset, asset, html, pageHeaders } from '#site';
import { eachOperation } from './openapi-operations.js';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The files of Swagger UI that the page loads. Nothing else of that package is served, whatever path is asked for. */
const SWAGGER_UI = { 'swagger-ui.css': STYLE, 'index.css': STYLE, 'swagger-ui-bundle.js': SCRIPT } as const;

const PACKAGE = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist'));

/**
 * Serves the description of the API: a page for people at `/docs`, JSON and YAML for programs. Each is made once, and sent
 * as the same bytes to everybody. To be called before the application is initialized. `playground`: the address where
 * people get a token, or null.
 */
export const serveDocs = (app: NestFastifyApplication, document: OpenAPIObject, playground: string | null): void => {
  const fastify = app.getHttpAdapter().getInstance();
  const serve = (path: string, file: () => Asset, headers: Readonly<Record<string, string>> = {}): void => {
    fastify.get(path, (_, reply) => send(reply.headers(headers), file()));
  };
  const init = asset(SCRIPT, initScript(forPeople(document, playground)));
  const json = asset('application/json; charset=utf-8', JSON.stringify(document));
  // Few ask for it, and writing it takes 40 ms.
  let yaml: Asset | undefined;
  serve(`/${API}/openapi.json`, () => json);
  serve(`/${API}/openapi.yaml`, () => (yaml ??= asset('text/yaml; charset=utf-8', dump(document, DUMPING))));
  for (const path of ['/docs', '/docs/']) serve(path, () => PAGE, PAGE_HEADERS);
  serve(`/docs/${INIT}`, () => init, PAGE_HEADERS);
  for (const [name, type] of Object.entries(SWAGGER_UI)) {
    const file = asset(type, readFileSync(join(PACKAGE, name)));
    serve(`/docs/${name}`, () => file, PAGE_HEADERS);
  }
};

/** What is not set has no place in YAML, and an anchor is nothing that readers of OpenAPI expect. */
const DUMPING = { skipInvalid: true, noRefs: true };

const send = (reply: FastifyReply, file: Asset): FastifyReply => {
  void reply.header('cache-control', 'no-cache');
  return isPublicUnchanged(reply, file, 'file') ? reply.send() : reply.type(file.type).send(file.body);
};

const INIT = 'init.js';

const PAGE = asset(
  'text/html; charset=utf-8',
  html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Alçada: API</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        ${['swagger-ui.css', 'index.css'].map((name) => html`<link rel="stylesheet" href="/docs/${name}" />`)}
      </head>
      <body>
        <div id="swagger-ui"></div>
        ${['swagger-ui-bundle.js', INIT].map((name) => html`<script src="/docs/${name}"></script>`)}
      </body>
    </html>`.text,
);

/** The headers of every page, except that scripts may run and call the API, and that Swagger UI styles its elements. */
const PAGE_HEADERS = {
  ...pageHeaders(),
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
};

/** Starts Swagger UI without its bar on top, whose logo has an inline style. */
const initScript = (spec: OpenAPIObject): string => {
  const settings = { dom_id: '#swagger-ui', deepLinking: true, layout: 'BaseLayout', spec };
  return `SwaggerUIBundle(${JSON.stringify(settings)});\n`;
};

/**
 * The description as the page shows it. The page is no registered client and cannot run the authorization itself, so it
 * takes a token that the reader has, and each operation names its scopes.
 */
const forPeople = (document: OpenAPIObject, playground: string | null): OpenAPIObject => {
  const source = playground ? `, como o que se obtém em [${playground}](${playground})` : '';
  const bearer = { type: 'http', scheme: 'bearer', description: `Um token de acesso${source}.` } as const;
  const shown = eachOperation(document, (operation) => {
    const scopes = operation.security?.flatMap(({ oauth2 = [] }) => oauth2) ?? [];
    if (scopes.length === 0) return operation;
    const text = `Escopos: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
    const description = [operation.description, text].filter(Boolean).join('\n\n');
    return { ...operation, description, security: [{ bearer: [] }] };
  });
  return { ...shown, components: { ...document.components, securitySchemes: { bearer } } };
};
