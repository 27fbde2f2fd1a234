import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API, isPublicUnchanged } from '#http';
import { lazily } from '#kernel';
import { type ApiDocument, REFERENCE_PATHS, REFERENCE_STYLES, type ReferenceLinks, referencePage } from '#storefront';
import { type Asset, asset, type Language, pageHeaders, sendPage } from '#site';

/** Serves the API's description as pages, JSON and YAML, made when first asked for. To be called before initialization. */
export const serveDocs = (app: NestFastifyApplication, links: ReferenceLinks): void => {
  const fastify = app.getHttpAdapter().getInstance();
  const json = lazily(async () => {
    const { openApiDocument } = await import('./openapi.js');
    return sharedAsset('application/json; charset=utf-8', JSON.stringify(openApiDocument(app, links.urls)));
  });
  // What is published as JSON is read back as what every reader of OpenAPI takes it for.
  const described = lazily(async () => JSON.parse((await json()).body.toString()) as ApiDocument);
  const yaml = lazily(async () => {
    const { dump } = await import('js-yaml');
    return sharedAsset('text/yaml; charset=utf-8', dump(await described(), DUMPING));
  });
  fastify.get(`/${API}/openapi.json`, LONG, async (_, reply) => send(reply, await json()));
  fastify.get(`/${API}/openapi.yaml`, LONG, async (_, reply) => send(reply, await yaml()));
  for (const language of Object.keys(REFERENCE_PATHS) as Language[]) {
    const pageFor = referenceIn(language, described, links);
    const path = REFERENCE_PATHS[language];
    for (const address of [path, `${path}/`])
      // Under a name that somebody made up it is compressed as what is made for one request.
      fastify.get(address, LONG, async ({ urls }, reply) =>
        send(reply.headers(HEADERS), await pageFor(urls), urls.site === links.urls.site ? 'file' : 'answer'),
      );
  }
  fastify.get(`/assets/${REFERENCE_STYLES.name}`, (_, reply) => sendPage(reply, REFERENCE_STYLES.file));
};

/** An anchor is nothing that readers of OpenAPI expect. */
const DUMPING = { noRefs: true };

/** Some hundreds of kilobytes cost ten times what a short answer does, and more where nobody reads them. */
const LONG = { config: { counted: { under: 'publicReads', weight: 10 } } } as const;

/** A text as bytes, which all connections that it is sent on share, however slowly they read: each has a copy of a text. */
const sharedAsset = (type: string, text: string) => asset(type, Buffer.from(text));

const HEADERS = pageHeaders({ isPublic: true, scriptTargets: 'none' });

const send = (reply: FastifyReply, file: Asset, kind: 'file' | 'answer' = 'file'): FastifyReply => {
  void reply.header('cache-control', 'no-cache');
  return isPublicUnchanged(reply, file, kind) ? reply.send() : reply.type(file.type).send(file.body);
};

/** The reference in a language, written when somebody first asks for it; of another loopback name the last is kept. */
const referenceIn = (language: Language, described: () => Promise<ApiDocument>, links: ReferenceLinks) => {
  const { site } = links.urls;
  const text = lazily(async () => referencePage(await described(), language, links).html);
  let last: { readonly site: string; readonly page: Asset } | undefined;
  return async (urls: FastifyRequest['urls']): Promise<Asset> => {
    if (last?.site === urls.site) return last.page;
    const page = sharedAsset(HEADERS['content-type'] ?? '', (await text()).replaceAll(site, urls.site));
    last = { site: urls.site, page };
    return page;
  };
};
