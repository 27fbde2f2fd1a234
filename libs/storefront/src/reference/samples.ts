import { html, type Html } from '#site';
import {
  type ApiDocument,
  type ApiParameter,
  mediaOf,
  type PlacedOperation,
  resolved,
  scopesOf,
} from './api-document.js';
import { exampleOf } from './examples.js';

/** A value as indented JSON, its names set off. */
export const json = (value: unknown): Html => {
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

/** JSON that stands under the option that it belongs to. */
const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

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
    ...(body ? [`-d ${quoted(indented(exampleOf(document, body[1])))}`] : []),
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
