import type { BaseUrls } from '#http';
import { html, type Html, type Language } from '#site';
import { type ApiDocument, type ApiOperation, type ApiSchema, nameOf, operationsOf, resolved } from './api-document.js';
import { WORDS } from './words.js';

/** A description of the API, on its way to a page in one language. */
export interface Reference {
  readonly document: ApiDocument;
  readonly language: Language;
  readonly words: (typeof WORDS)[Language];
  readonly base: string;
  /** The named schemas that are shown where they are used, since nothing else uses them. */
  readonly inPlace: ReadonlySet<string>;
  /** The named schemas that some request has to keep to. */
  readonly asked: ReadonlySet<string>;
  /** By schema, the tags of the operations that speak of it. */
  readonly tagsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** By id, the part that an operation, a schema or what else can be linked stands in; '' is the first page. */
  readonly partOf: ReadonlyMap<string, string>;
  /** The part that is being written. */
  readonly part: string;
}

/** Where the reference leads to: the service, and where people get a token, or null where nobody does. */
export interface ReferenceLinks {
  readonly urls: BaseUrls;
  readonly playground: string | null;
}

/** The first page of the reference in each language; its parts are below it. */
export const REFERENCE_PATHS: Readonly<Record<Language, string>> = { 'pt-BR': '/docs', en: '/docs/en' };

/** What occurs in several parts, and the headers of all. */
export const SHARED_PART = 'objects';

export const partPath = (language: Language, part: string): string =>
  REFERENCE_PATHS[language] + (part === '' ? '' : `/${part}`);

/** Where what has this id is, from the part that is being written. */
export const linkTo = ({ partOf, part, language }: Reference, id: string): string => {
  const place = partOf.get(id) ?? part;
  return `${place === part ? '' : partPath(language, place)}#${id}`;
};

export const referenceOf = (document: ApiDocument, language: Language, base: string): Reference => {
  const uses = new Map<string, number>();
  const tagsOf = new Map<string, Set<string>>();
  const reach = (schema: ApiSchema, tag: string): void => {
    for (const name of namesIn(schema)) {
      const tags = tagsOf.get(name) ?? new Set();
      if (tags.has(tag)) continue;
      tagsOf.set(name, tags.add(tag));
      reach(document.components?.schemas?.[name] ?? {}, tag);
    }
  };
  const use = (schema: ApiSchema): void => {
    for (const name of namesIn(schema)) uses.set(name, (uses.get(name) ?? 0) + 1);
  };
  for (const schema of Object.values(document.components?.schemas ?? {})) use(schema);
  const answered = new Set<string>();
  const asked = new Set<string>();
  const ask = (schema: ApiSchema): void => {
    for (const name of namesIn(schema)) {
      if (asked.has(name)) continue;
      asked.add(name);
      ask(document.components?.schemas?.[name] ?? {});
    }
  };
  for (const operation of operationsOf(document)) {
    for (const { schema, isAnswer } of messagesOf(document, operation)) {
      reach(schema, tagOf(operation));
      use(schema);
      if (isAnswer) for (const name of namesIn(schema)) answered.add(name);
      else ask(schema);
    }
  }
  for (const operation of webhooksOf(document)) {
    for (const { schema } of messagesOf(document, operation)) {
      reach(schema, tagOf(operation));
      use(schema);
      for (const name of namesIn(schema)) answered.add(name);
    }
  }
  const inPlace = new Set(
    [...uses].filter(([name, count]) => count === 1 && !answered.has(name)).map(([name]) => name),
  );
  const partOf = new Map([
    ...['token', 'erros'].map((id) => [id, ''] as const),
    ...['cabecalhos', 'objetos'].map((id) => [id, SHARED_PART] as const),
    ...[...tagsOf].map(([name, tags]) => [schemaId(name), tags.size > 1 ? SHARED_PART : [...tags].join('')] as const),
    ...operationsOf(document).map((one) => [one.operationId, tagOf(one)] as const),
  ]);
  return { document, language, words: WORDS[language], base, inPlace, asked, tagsOf, partOf, part: '' };
};

export const schemaId = (name: string): string => `schema-${name}`;

export const tagOf = ({ tags = [] }: ApiOperation): string => tags[0] ?? '';

/** What is sent to others, by type. */
export const webhooksOf = ({ webhooks = {} }: ApiDocument): readonly (ApiOperation & { readonly type: string })[] =>
  Object.entries(webhooks).map(([type, { post }]) => ({ ...post, type }));

/** The schemas of an operation's body and of its success. What an error consists of is on the page about its code. */
const messagesOf = (
  document: ApiDocument,
  { requestBody, responses }: ApiOperation,
): readonly { readonly schema: ApiSchema; readonly isAnswer: boolean }[] => {
  const asked = requestBody ? [{ content: resolved(document, requestBody).content, isAnswer: false }] : [];
  const answers = Object.entries(responses)
    .filter(([status]) => status < '400')
    .map(([, one]) => ({ content: resolved(document, one).content, isAnswer: true }));
  return [...asked, ...answers].flatMap(({ content = {}, isAnswer }) =>
    Object.values(content).flatMap(({ schema }) => (schema ? [{ schema, isAnswer }] : [])),
  );
};

/** The named schemas that a schema speaks of itself, each as often as it does. */
const namesIn = (schema: ApiSchema): readonly string[] => {
  const name = nameOf(schema);
  if (name !== null) return [name];
  const { properties = {}, additionalProperties, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  const parts = [...Object.values(properties), ...allOf, ...anyOf, ...oneOf];
  if (items) parts.push(items);
  if (typeof additionalProperties === 'object') parts.push(additionalProperties);
  return parts.flatMap(namesIn);
};

/** A text of the description in the language of the page, and whether it is Portuguese on an English one for want of another. */
export const textIn = ({ language }: Reference, portuguese: string, english?: string) =>
  language === 'en' && english !== undefined
    ? { text: english, isForeign: false }
    : { text: portuguese, isForeign: language === 'en' };

/** A text of the description, with its Markdown; null: there is none. */
export const paragraphs = (reference: Reference, portuguese = '', english?: string): Html | null => {
  const { text, isForeign } = textIn(reference, portuguese, english);
  if (text === '') return null;
  return isForeign ? html`<div lang="pt-BR">${prose(text)}</div>` : prose(text);
};

/** What a line may hold: code, emphasis, a link to a page of the service or an https address. */
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:https?:\/\/|\/|#)[^\s)]*)\)/g;

/** A line of Markdown; what is not understood stays text. */
export const line = (text: string): Html => {
  const parts: Html[] = [];
  let done = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, label, address] = found;
    parts.push(html`${text.slice(done, found.index)}`);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`);
    else parts.push(html`<a href="${address ?? ''}">${label ?? ''}</a>`);
    done = found.index + whole.length;
  }
  return html`${parts}${text.slice(done)}`;
};

/** The little Markdown that descriptions are written in: paragraphs and lists. */
export const prose = (text: string): Html =>
  html`${text
    .trim()
    .split(/\n\s*\n/)
    .map(block)}`;

const block = (text: string): Html => {
  const lines = text.split('\n');
  if (!lines.every((one) => /^\s*[-*] /.test(one))) return html`<p>${line(text)}</p>`;
  return html`<ul>
    ${lines.map((one) => html`<li>${line(one.replace(/^\s*[-*] /, ''))}</li>`)}
  </ul>`;
};
