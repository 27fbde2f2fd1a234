import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API, isPublicUnchanged } from '#http';
import { lazily } from '#kernel';
import { type ApiDocument, REFERENCE_PATHS, REFERENCE_STYLES, type ReferenceLinks, referencePage } from '#storefront';
import { type Asset, asset, type Language, pageHeaders, sendPage } from '#site';

/** Serves the API's description as pages, JSON and YAML, made when first asked for. To be called before initialization. */
export const serveDocs = (app: NestFastifyApplication, links: ReferenceLinks): void => {
  const fastify = app.getHttpAdapter().getInstance();
  const text = lazily(async () => {
    const { openApiDocument } = await import('./openapi.js');
    return JSON.stringify(openApiDocument(app, links.urls));
  });
  // What is published as JSON is read back as what every reader of OpenAPI takes it for.
  const described = lazily(async () => JSON.parse(await text()) as ApiDocument);
  const json = sharedFor(links, 'application/json; charset=utf-8', text);
  const yaml = sharedFor(links, 'text/yaml; charset=utf-8', async () => {
    const { dump } = await import('js-yaml');
    return dump(await described(), DUMPING);
  });
  const answering =
    (textFor: (urls: FastifyRequest['urls']) => Promise<Asset>) =>
    async ({ urls }: FastifyRequest, reply: FastifyReply) =>
      // Under a name that somebody made up it is compressed as what is made for one request.
      send(reply, await textFor(urls), urls.site === links.urls.site ? 'file' : 'answer');
  fastify.get(`/${API}/openapi.json`, LONG, answering(json));
  fastify.get(`/${API}/openapi.yaml`, LONG, answering(yaml));
  for (const language of Object.keys(REFERENCE_PATHS) as Language[]) {
    const page = sharedFor(
      links,
      HEADERS['content-type'] ?? '',
      async () => referencePage(await described(), language, links).html,
    );
    const path = REFERENCE_PATHS[language];
    for (const address of [path, `${path}/`])
      fastify.get(address, LONG, (request, reply) => answering(page)(request, reply.headers(HEADERS)));
  }
  fastify.get(`/assets/${REFERENCE_STYLES.name}`, (_, reply) => sendPage(reply, REFERENCE_STYLES.file));
};

/** An anchor is nothing that readers of OpenAPI expect. */
const DUMPING = { noRefs: true };

/** Some hundreds of kilobytes cost ten times what a short answer does, and more where nobody reads them. */
const LONG = { config: { counted: { under: 'publicReads', weight: 10 } } } as const;

const HEADERS = pageHeaders({ isPublic: true, scriptTargets: 'none' });

const send = (reply: FastifyReply, file: Asset, kind: 'file' | 'answer'): FastifyReply => {
  void reply.header('cache-control', 'no-cache');
  return isPublicUnchanged(reply, file, kind) ? reply.send() : reply.type(file.type).send(file.body);
};

/**
 * A text as bytes, which all connections that it is sent on share, however slowly they read: each has a copy of a text. It is
 * written when somebody first asks for it; of another loopback name the last is kept.
 */
const sharedFor = ({ urls: { site } }: ReferenceLinks, type: string, write: () => Promise<string>) => {
  const text = lazily(write);
  let last: { readonly site: string; readonly file: Asset } | undefined;
  return async (urls: FastifyRequest['urls']): Promise<Asset> => {
    if (last?.site === urls.site) return last.file;
    const file = asset(type, Buffer.from((await text()).replaceAll(site, urls.site)));
    last = { site: urls.site, file };
    return file;
  };
};
