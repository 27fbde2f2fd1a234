import { html, type Html } from '#site';
import {
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
import { line, linkTo, paragraphs, type Reference, schemaId, textIn } from './reference.js';
import { curlFor, json, sample } from './samples.js';
import { member, members, typeText } from './schemas.js';

/** An operation: what it is for, what it takes and answers; beside that, a call and its answer. */
export const operationSection = (reference: Reference, operation: PlacedOperation): Html => {
  const { operationId: id, description, deprecated = false, method, path } = operation;
  const { words } = reference;
  return html`<section class="operation" id="${id}">
    <div class="told">
      <h2><a href="#${id}">${summaryOf(reference, operation)}</a></h2>
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

const scopesText = (reference: Reference, operation: PlacedOperation): Html => {
  const { words } = reference;
  const scopes = scopesOf(operation);
  if (scopes.length === 0) return html`<p class="scopes">${words.open}</p>`;
  return html`<p class="scopes">
    <a href="${linkTo(reference, 'token')}">${words.scopes}</a> ${scopes.map((scope) => html`<code>${scope}</code> `)}
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
    return html`<h3>${reference.words[place]}</h3>
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
  return html`<h3>
      ${words.body} <span class="type">${type}${body.required === true && ` · ${words.required}`}</span>
    </h3>
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
  return html`<h3>${words.responses}</h3>
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
          <a href="${linkTo(reference, 'cabecalhos')}">${words.headers}</a>:
          ${names.map((name) => html`<code>${name}</code> `)}
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
