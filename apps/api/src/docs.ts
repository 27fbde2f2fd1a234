import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dump } from 'js-yaml';
import { API, isPublicUnchanged } from '#http';
import { type ApiDocument, REFERENCE_PATHS, REFERENCE_STYLES, type ReferenceLinks, referencePage } from '#reference';
import { type Asset, asset, type Language, pageHeaders, sendPage } from '#site';

/**
 * Serves the description of the API: a page for people, in Portuguese at `/docs` and in English at `/docs/en`, JSON and YAML
 * for programs. Each is made once, and sent as the same bytes to everybody. To be called before the application is
 * initialized.
 */
export const serveDocs = (app: NestFastifyApplication, document: OpenAPIObject, links: ReferenceLinks): void => {
  const fastify = app.getHttpAdapter().getInstance();
  const json = asset('application/json; charset=utf-8', JSON.stringify(document));
  fastify.get(`/${API}/openapi.json`, (_, reply) => send(reply, json));
  // Few ask for it, and writing it takes 40 ms.
  let yaml: Asset | undefined;
  fastify.get(`/${API}/openapi.yaml`, (_, reply) =>
    send(reply, (yaml ??= asset('text/yaml; charset=utf-8', dump(document, DUMPING)))),
  );
  // What is published as JSON is read back as what every reader of OpenAPI takes it for.
  const described = JSON.parse(json.body) as ApiDocument;
  for (const language of Object.keys(REFERENCE_PATHS) as Language[]) {
    const pageFor = referenceIn(language, described, links);
    const path = REFERENCE_PATHS[language];
    for (const address of [path, `${path}/`])
      // Under a name that somebody made up it is compressed as what is made for one request.
      fastify.get(address, ({ urls }, reply) =>
        send(reply.headers(HEADERS), pageFor(urls), urls.site === links.urls.site ? 'file' : 'answer'),
      );
  }
  fastify.get(`/assets/${REFERENCE_STYLES.name}`, (_, reply) => sendPage(reply, REFERENCE_STYLES.file));
};

/** What is not set has no place in YAML, and an anchor is nothing that readers of OpenAPI expect. */
const DUMPING = { skipInvalid: true, noRefs: true };

const HEADERS = pageHeaders({ isPublic: true, scriptTargets: 'none' });

const send = (reply: FastifyReply, file: Asset, kind: 'file' | 'answer' = 'file'): FastifyReply => {
  void reply.header('cache-control', 'no-cache');
  return isPublicUnchanged(reply, file, kind) ? reply.send() : reply.type(file.type).send(file.body);
};

/**
 * The reference in a language, written when somebody first asks for it; under another loopback name with that name in it,
 * of which the last is kept: callers keep to one.
 */
const referenceIn = (language: Language, document: ApiDocument, links: ReferenceLinks) => {
  const { site } = links.urls;
  let text: string | undefined;
  let last: { readonly site: string; readonly page: Asset } | undefined;
  return (urls: FastifyRequest['urls']): Asset => {
    if (last?.site === urls.site) return last.page;
    text ??= referencePage(document, language, links).html;
    last = { site: urls.site, page: asset(HEADERS['content-type'] ?? '', text.replaceAll(site, urls.site)) };
    return last.page;
  };
};
