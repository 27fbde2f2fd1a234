import { type ApiDocument, type ApiMedia, type ApiSchema, resolved } from './api-document.js';

/** A value that a message may have: its own example, or else one made of its schema's. Undefined: nobody says anything. */
export const exampleOf = (document: ApiDocument, { example, examples = {}, schema }: ApiMedia): unknown => {
  if (example !== undefined) return example;
  const [first] = Object.values(examples);
  if (first) return resolved(document, first).value;
  return schema && valueOf(document, schema, new Set());
};

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0190c3a4-6b1e-7c51-9d2f-3e8a5b7c9d01',
  'date-time': '2026-11-21T12:00:00.000Z',
  date: '2026-12-20',
  uri: 'https://exemplo.com.br/',
};
const BY_TYPE: Readonly<Record<string, unknown>> = { string: '…', integer: 1, number: 1, boolean: true, null: null };

/** `above`: the schemas that this one stands in, of which none is entered again. */
const valueOf = (document: ApiDocument, schema: ApiSchema, above: ReadonlySet<string>): unknown => {
  const { $ref, example, examples, allOf, anyOf, oneOf, properties, items, type, format = '' } = schema;
  if (example !== undefined) return example;
  if (examples) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if ($ref !== undefined) {
    return above.has($ref) ? {} : valueOf(document, resolved(document, schema), new Set([...above, $ref]));
  }
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (allOf && !properties) {
    const values = allOf.map((one) => valueOf(document, one, above));
    return values.length === 1 ? values[0] : Object.assign({}, ...values);
  }
  const [either] = anyOf ?? oneOf ?? [];
  if (either && !properties) return valueOf(document, either, above);
  if (properties) {
    const { required = [] } = schema;
    const shown = Object.entries(properties).filter(([name, one]) => required.includes(name) || hasExample(one));
    return Object.fromEntries(shown.map(([name, one]) => [name, valueOf(document, one, above)]));
  }
  if (items) return [valueOf(document, items, above)];
  return BY_FORMAT[format] ?? BY_TYPE[[type].flat()[0] ?? ''] ?? {};
};

const hasExample = ({ example, examples }: ApiSchema): boolean => example !== undefined || examples !== undefined;
