import { html, type Html } from '#site';
import { type ApiSchema, nameOf, resolved } from './api-document.js';
import { linkTo, paragraphs, type Reference, schemaId } from './reference.js';

const joined = (parts: readonly Html[], by: string): Html =>
  html`${parts.map((part, place) => (place === 0 ? part : html` ${by} ${part}`))}`;

/** What kind of value a schema is, in a few words; named schemas as links. */
export const typeText = (reference: Reference, schema: ApiSchema): Html => {
  const { words } = reference;
  const name = nameOf(schema);
  if (name !== null) return html`<a href="${linkTo(reference, schemaId(name))}">${name}</a>`;
  const { allOf, anyOf, oneOf, items, type, format } = schema;
  const [either, all] = [anyOf ?? oneOf, allOf];
  if (either)
    return joined(
      either.map((one) => typeText(reference, one)),
      words.or,
    );
  if (all)
    return joined(
      all.map((one) => typeText(reference, one)),
      '+',
    );
  if (items) {
    const isMaybe = [type].flat().includes('null');
    return html`${words.listOf} ${typeText(reference, items)}${isMaybe && ` ${words.or} null`}`;
  }
  const types = type === undefined ? [schema.properties ? 'object' : 'any'] : [type].flat();
  return html`${types.join(` ${words.or} `)}${format !== undefined && ` (${format})`}`;
};

/** The members of an object: of one that is sent, which it must have; of one that is returned, which it may lack. */
export const members = (reference: Reference, { properties = {}, required = [] }: ApiSchema, isSent: boolean): Html =>
  html`<dl class="members">
    ${Object.entries(properties).map(([name, schema]) => {
      const isRequired = required.includes(name);
      return member(reference, {
        name,
        schema,
        isSent,
        isRequired: isRequired && isSent,
        isAbsent: !isRequired && !isSent,
      });
    })}
  </dl>`;

/** A name and its value, of an object, of a message's head or of an address. */
export interface Member {
  readonly name: string;
  readonly schema: ApiSchema;
  readonly isRequired?: boolean;
  readonly isAbsent?: boolean;
  readonly isSent?: boolean;
  /** What it is for, where its schema does not say. */
  readonly description?: { readonly description?: string; readonly 'x-description-en'?: string };
}

export const member = (reference: Reference, shown: Member): Html => {
  const { words } = reference;
  const { name, schema, isRequired = false, isAbsent = false, isSent = false, description = schema } = shown;
  return html`<div>
    <dt>
      <code>${name}</code> <span class="type">${typeText(reference, schema)}</span>
      ${isRequired && html`<span class="required">${words.required}</span>`}
      ${isAbsent && html`<span class="absent">${words.absent}</span>`}
    </dt>
    <dd>
      ${paragraphs(reference, description.description, description['x-description-en'])} ${bounds(reference, schema)}
      ${inner(reference, schema, isSent)}
    </dd>
  </div>`;
};

const value = (one: unknown): Html => html`<code>${typeof one === 'string' ? one : JSON.stringify(one)}</code>`;

const list = (values: readonly unknown[]): Html => joined(values.map(value), '·');

/** What a value is held to, an example, and what is taken where it is left out. */
const bounds = ({ words }: Reference, schema: ApiSchema): Html | null => {
  const { pattern, example } = schema;
  const choices = schema.enum ?? schema.items?.enum;
  const lines = [
    choices && html`${words.oneOf} ${list(choices)}`,
    rangeText(words, schema),
    schema.default !== undefined && html`${words.standard} ${value(schema.default)}`,
    pattern !== undefined && html`${words.pattern} ${value(pattern)}`,
    example !== undefined && example !== null && !choices && html`${words.example} ${value(example)}`,
  ].filter((one) => one instanceof Object);
  return lines.length === 0 ? null : html`<p class="bounds">${joined(lines, '·')}</p>`;
};

const rangeText = (
  { from, to, atLeast, atMost, characters, items }: Reference['words'],
  schema: ApiSchema,
): Html | false => {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const between = (low: number | undefined, high: number | undefined, unit: string): Html | false => {
    const after = unit && ` ${unit}`;
    if (low !== undefined && high !== undefined) return html`${from} ${low} ${to} ${high}${after}`;
    if (low !== undefined) return html`${atLeast} ${low}${after}`;
    return high !== undefined && html`${atMost} ${high}${after}`;
  };
  return (
    between(minimum, maximum, '') || between(minLength, maxLength, characters) || between(minItems, maxItems, items)
  );
};

/** The members of an object inside a value, where they are shown nowhere else. */
const inner = (reference: Reference, schema: ApiSchema, isSent: boolean): Html | null => {
  const name = nameOf(schema);
  if (name !== null && !reference.inPlace.has(name)) return null;
  const whole = resolved<ApiSchema>(reference.document, schema);
  if (whole.properties) {
    const id = name !== null && html`id="${schemaId(name)}"`;
    return html`<div class="inner" ${id}>${members(reference, whole, isSent)}</div>`;
  }
  const parts = [...(whole.allOf ?? []), ...(whole.anyOf ?? []), ...(whole.oneOf ?? [])];
  if (whole.items) parts.push(whole.items);
  if (typeof whole.additionalProperties === 'object') parts.push(whole.additionalProperties);
  const shown = parts.map((part) => inner(reference, part, isSent)).filter((one) => one !== null);
  return shown.length === 0 ? null : html`${shown}`;
};

/** The named schemas that stand in a part of the page: those that only this tag's operations speak of, or null: several tags'. */
export const schemasOf = ({ document, inPlace, tagsOf }: Reference, tag: string | null): readonly string[] =>
  Object.keys(document.components?.schemas ?? {}).filter((name) => {
    const tags = tagsOf.get(name);
    if (!tags || inPlace.has(name)) return false;
    return tag === null ? tags.size > 1 : tags.size === 1 && tags.has(tag);
  });

export const schemaSection = (reference: Reference, name: string, level: 2 | 3): Html => {
  const schema = reference.document.components?.schemas?.[name] ?? {};
  const { description } = schema;
  const isSent = reference.asked.has(name);
  const title = html`<a href="#${schemaId(name)}">${name}</a>`;
  return html`<section class="object" id="${schemaId(name)}">
    ${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
    ${paragraphs(reference, description, schema['x-description-en'])}
    ${
      schema.properties
        ? members(reference, schema, isSent)
        : html`<p class="type">${typeText(reference, schema)}</p>
            ${bounds(reference, schema)} ${inner(reference, schema, isSent)}`
    }
  </section>`;
};
