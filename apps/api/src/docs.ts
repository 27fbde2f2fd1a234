import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API, isPublicUnchanged } from '#http';
import { lazily } from '#kernel';
import { type Asset, asset, type Language, pageHeaders, sendPage } from '#site';
import {
  type ApiDocument,
  partPath,
  REFERENCE_STYLES,
  type ReferenceLinks,
  referenceOf,
  referencePage,
  SEARCH_PART,
  searchPage,
} from '#storefront';

type Fastify = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;

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
  fastify.get(`/${API}/openapi.json`, LONG, async ({ urls }, reply) => send(reply, await json(urls)));
  fastify.get(`/${API}/openapi.yaml`, LONG, async ({ urls }, reply) => send(reply, await yaml(urls)));
  for (const language of LANGUAGES) serveReference(fastify, language, described, links);
  fastify.get(`/assets/${REFERENCE_STYLES.name}`, (_, reply) => sendPage(reply, REFERENCE_STYLES.file));
};

const LANGUAGES: readonly Language[] = ['pt-BR', 'en'];

/** The reference in a language: its first page, a page for each part, and what is found in it. */
const serveReference = (
  fastify: Fastify,
  language: Language,
  described: () => Promise<ApiDocument>,
  links: ReferenceLinks,
): void => {
  const reference = lazily(async () => referenceOf(await described(), language, links.urls.base));
  const files = new Map<string, ReturnType<typeof sharedFor>>();
  /** A part as it is kept; null: there is none of this name. */
  const fileOf = async (part: string) => {
    const known = files.get(part);
    if (known) return known;
    const page = referencePage(await reference(), links, part);
    if (!page) return null;
    const file = sharedFor(links, HEADERS['content-type'] ?? '', () => Promise.resolve(page.html));
    files.set(part, file);
    return file;
  };
  const sendPart = async (part: string, { urls }: FastifyRequest, reply: FastifyReply) => {
    const file = await fileOf(part);
    if (file) return send(reply.headers(HEADERS), await file(urls));
    reply.callNotFound();
    return reply;
  };
  const path = partPath(language, '');
  for (const address of [path, `${path}/`])
    fastify.get(address, LONG, (request, reply) => sendPart('', request, reply));
  fastify.get<{ Params: { part: string } }>(`${path}/:part`, LONG, (request, reply) =>
    sendPart(request.params.part, request, reply),
  );
  fastify.get(partPath(language, SEARCH_PART), LONG, async ({ url, urls }, reply) => {
    const query = new URL(url, urls.site).searchParams.get('q') ?? '';
    sendPage(reply, searchPage(await reference(), { ...links, urls }, query));
    return reply;
  });
};

/** An anchor is nothing that readers of OpenAPI expect. */
const DUMPING = { noRefs: true };

/** Some hundreds of kilobytes cost ten times what a short answer does, and more where nobody reads them. */
const LONG = { config: { counted: { under: 'publicReads', weight: 10 } } } as const;

const HEADERS = pageHeaders({ isPublic: true, scriptTargets: 'none' });

const send = (reply: FastifyReply, { file, kind }: Shared): FastifyReply => {
  void reply.header('cache-control', 'no-cache');
  return isPublicUnchanged(reply, file, kind) ? reply.send() : reply.type(file.type).send(file.body);
};

/** A file, and how it is compressed: under a name that somebody made up, as what is made for one request. */
interface Shared {
  readonly file: Asset;
  readonly kind: 'file' | 'answer';
}

/**
 * A text as bytes, which all connections that it is sent on share, however slowly they read: each has a copy of a text. It is
 * written when somebody first asks for it; of another loopback name the last is kept.
 */
const sharedFor = ({ urls: { site } }: ReferenceLinks, type: string, write: () => Promise<string>) => {
  const text = lazily(write);
  let last: { readonly site: string; readonly file: Asset } | undefined;
  return async (urls: FastifyRequest['urls']): Promise<Shared> => {
    const kind = urls.site === site ? 'file' : 'answer';
    if (last?.site === urls.site) return { file: last.file, kind };
    const file = asset(type, Buffer.from((await text()).replaceAll(site, urls.site)));
    last = { site: urls.site, file };
    return { file, kind };
  };
};
