import { html, type Html } from '#site';
import {
  type ApiDocument,
  type ApiMedia,
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  type ApiSchema,
  mediaOf,
  nameOf,
  type PlacedOperation,
  resolved,
  scopesOf,
} from './api-document.js';
import { refusalsOf } from './errors.js';
import { exampleOf } from './examples.js';
import { line, paragraphs, type Reference, textIn } from './reference.js';
import { member, members, schemaId, typeText } from './schemas.js';

/** An operation: what it is for, what it takes and answers; beside that, a call and its answer. */
export const operationSection = (reference: Reference, operation: PlacedOperation): Html => {
  const { operationId: id, description, deprecated = false, method, path } = operation;
  const { words } = reference;
  return html`<section class="operation" id="${id}">
    <div class="told">
      <h3><a href="#${id}">${summaryOf(reference, operation)}</a></h3>
      <p class="where">
        ${methodBadge(method)} <code>${path}</code>${deprecated && html` <strong>${words.deprecated}</strong>`}
      </p>
      ${paragraphs(reference, description, operation['x-description-en'])} ${scopesText(reference, operation)}
      ${parametersOf(reference, operation)} ${bodyOf(reference, operation)} ${answersOf(reference, operation)}
      <p class="to-index"><a href="#indice">${words.toIndex}</a></p>
    </div>
    <div class="samples">
      ${sample(words.request, words.copy, html`${curlFor(reference.document, operation, reference.base)}`)}
      ${answerSample(reference, operation)}
    </div>
  </section>`;
};

/** What an operation is called; its own sentence, in whichever language there is one. */
export const summaryOf = (reference: Reference, operation: ApiOperation): Html => {
  const { summary = operation.operationId } = operation;
  const { text, isForeign } = textIn(reference, summary, operation['x-summary-en']);
  return isForeign ? html`<span lang="pt-BR">${line(text)}</span>` : line(text);
};

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`;

const scopesText = ({ words }: Reference, operation: PlacedOperation): Html => {
  const scopes = scopesOf(operation);
  if (scopes.length === 0) return html`<p class="scopes">${words.open}</p>`;
  return html`<p class="scopes">
    <a href="#token">${words.scopes}</a> ${scopes.map((scope) => html`<code>${scope}</code> `)}
  </p>`;
};

const parametersOf = (reference: Reference, { parameters = [] }: PlacedOperation): Html => {
  const all = parameters.map((one) => resolved<ApiParameter>(reference.document, one));
  return html`${(['path', 'query', 'header'] as const).map((place) => {
    const here = all.filter((parameter) => parameter.in === place);
    if (here.length === 0) return html``;
    const shown = here.map((parameter) => {
      const { name, schema = {}, required: isRequired = false } = parameter;
      return member(reference, { name, schema, isRequired, description: parameter.description ? parameter : schema });
    });
    return html`<h4>${reference.words[place]}</h4>
      <dl class="members">${shown}</dl>`;
  })}`;
};

const bodyOf = (reference: Reference, { requestBody }: PlacedOperation): Html | null => {
  if (!requestBody) return null;
  const { document, words } = reference;
  const body = resolved(document, requestBody);
  const [type = '', media] = mediaOf(body.content) ?? [];
  const schema = media?.schema ?? {};
  const name = nameOf(schema);
  const isHere = name === null || reference.inPlace.has(name);
  const whole = resolved<ApiSchema>(document, schema);
  return html`<h4>
      ${words.body} <span class="type">${type}${body.required === true && ` · ${words.required}`}</span>
    </h4>
    ${paragraphs(reference, body.description, body['x-description-en'])}
    ${
      isHere && whole.properties
        ? html`<div ${name !== null && html`id="${schemaId(name)}"`}>${members(reference, whole, true)}</div>`
        : html`<p>${typeText(reference, schema)}</p>`
    }`;
};

const answersOf = (reference: Reference, operation: PlacedOperation): Html => {
  const { document, words } = reference;
  const answers = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved<ApiResponse>(document, response)] as const,
  );
  return html`<h4>${words.responses}</h4>
    <dl class="members">
      ${answers.filter(([status]) => status < '400').map((answer) => answerRow(reference, answer))}
    </dl>
    ${refusalsOf(reference, operation)}`;
};

const answerRow = (reference: Reference, [status, response]: readonly [string, ApiResponse]): Html => {
  const { words } = reference;
  const { content, headers = {} } = response;
  const media = mediaOf(content);
  const names = Object.keys(headers);
  return html`<div>
    <dt><code>${status}</code> <span class="type">${media ? mediaText(reference, media) : words.noBody}</span></dt>
    <dd>
      ${paragraphs(reference, response.description, response['x-description-en'])}
      ${
        names.length > 0 &&
        html`<p class="bounds">
          <a href="#cabecalhos">${words.headers}</a>: ${names.map((name) => html`<code>${name}</code> `)}
        </p>`
      }
    </dd>
  </div>`;
};

const mediaText = (reference: Reference, [type, { schema }]: readonly [string, ApiMedia]): Html =>
  html`${schema && type === 'application/json' ? typeText(reference, schema) : type}`;

const answerSample = ({ document, words }: Reference, { responses }: PlacedOperation): Html | null => {
  const [status, response] = Object.entries(responses).find(([one]) => one.startsWith('2')) ?? [];
  const media = response && mediaOf(resolved<ApiResponse>(document, response).content);
  if (status === undefined || !media) return null;
  const example = exampleOf(document, media[1]);
  if (example === undefined) return null;
  return sample(`${words.response} ${status}`, null, typeof example === 'string' ? html`${example}` : json(example));
};

/** A value as indented JSON, its names set off. */
const json = (value: unknown): Html => {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return html`${lines.map((one, place) => {
    const [, space = '', name, rest = ''] = /^(\s*)("(?:[^"\\]|\\.)*")(:.*)$/.exec(one) ?? [];
    const end = place === lines.length - 1 ? '' : '\n';
    return name === undefined ? html`${one}${end}` : html`${space}<i>${name}</i>${rest}${end}`;
  })}`;
};

/** A text to read, and to copy where `copy` says how a button is called. It can be scrolled, so the keyboard must reach it. */
export const sample = (caption: string, copy: string | null, text: Html): Html =>
  html`<figure class="sample">
    <figcaption>${caption}</figcaption>
    ${copy !== null && html`<button class="quiet" type="button" data-copy aria-live="polite" hidden>${copy}</button>`}
    <pre tabindex="0" role="group" aria-label="${caption}"><code>${text}</code></pre>
  </figure>`;

/** A text as a POSIX shell takes it, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same where the shell is to put in what `$TOKEN` and the like stand for; nothing else in it is special to the shell. */
const filledIn = (text: string): string => `"${text}"`;

/** `$BOOKING_ID`: what stands for the `id` below `/bookings`. */
const variableFor = (name: string, path: string): string => {
  const [, collection = ''] = new RegExp(`([a-z]+)s/\\{${name}\\}`).exec(path) ?? [];
  return `$${name === 'id' ? `${collection}_id` : name}`.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
};

/** A call of an operation that runs in a shell as it stands, with examples, or variables for what another answer has to say. */
export const curlFor = (document: ApiDocument, operation: PlacedOperation, base: string): string => {
  const { method, path, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolved(document, one));
  const body = requestBody && mediaOf(resolved(document, requestBody).content);
  const isStream = Object.values(responses).some((one) => resolved(document, one).content?.['text/event-stream']);
  const address = base + filled(document, path, parameters) + queryOf(document, parameters);
  const options = [
    ...(isStream ? ['-N'] : []),
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    address.includes('$') ? filledIn(address) : quoted(address),
  ];
  const more = [
    ...(scopesOf(operation).length > 0 ? [`-H ${filledIn('Authorization: Bearer $TOKEN')}`] : []),
    ...(body ? [`-H ${quoted(`Content-Type: ${body[0]}`)}`] : []),
    ...(body ? [`-d ${quoted(JSON.stringify(exampleOf(document, body[1]), null, 2))}`] : []),
  ];
  return [`curl ${options.join(' ')}`, ...more].join(' \\\n  ');
};

const filled = (document: ApiDocument, path: string, parameters: readonly ApiParameter[]): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    const value = parameter && givenExample(document, parameter);
    return typeof value === 'string' ? encodeURIComponent(value) : variableFor(name, path);
  });

/** The parameters that have to be there; where none has to, the first that has an example. */
const queryOf = (document: ApiDocument, parameters: readonly ApiParameter[]): string => {
  const known = parameters
    .filter((one) => one.in === 'query')
    .map((one) => ({ ...one, value: one.required ? exampleOf(document, one) : givenExample(document, one) }))
    .filter(({ value }) => typeof value === 'string' || typeof value === 'number');
  const needed = known.filter(({ required }) => required);
  const query = (needed.length > 0 ? needed : known.slice(0, 1)).map(({ name, value }): [string, string] => [
    name,
    String(value),
  ]);
  return query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
};

const givenExample = (document: ApiDocument, { schema, ...parameter }: ApiParameter): unknown =>
  exampleOf(document, parameter) ?? schema?.example ?? schema?.examples?.[0];
