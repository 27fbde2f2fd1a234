import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Schema = Readonly<Record<string, unknown>>;

/** A judge by JSON Schema 2020-12, which knows formats and refuses a keyword or schema that is none. */
const judge = new Ajv2020({ strict: true, allowUnionTypes: true });
formats.default(judge);

/** What is wrong with a schema itself; null: nothing. */
export const faultOfSchema = (schema: Schema): string | null =>
  judge.validateSchema(schema) === true ? null : judge.errorsText();

/** What is wrong with a value by a schema; null: nothing. */
export const faultOf = (schema: Schema, value: unknown): string | null =>
  judge.validate(schema, value) ? null : judge.errorsText();

/** A judge that passes over keywords that it does not know, such as those of OpenAPI. */
const lenient = new Ajv2020({ strict: false, allowUnionTypes: true });
formats.default(lenient);
const compiled = new WeakMap<Schema, ValidateFunction>();

/** What is wrong with a value by a schema of OpenAPI, members that it has no room for by name; null: nothing. It is compiled once. */
export const faultInOpenApi = (schema: Schema, value: unknown): string | null => {
  const judgeBy = compiled.get(schema) ?? lenient.compile(schema);
  compiled.set(schema, judgeBy);
  if (judgeBy(value)) return null;
  const names = (judgeBy.errors ?? []).map(
    ({ params }) => (params as { readonly unevaluatedProperty?: string }).unevaluatedProperty,
  );
  return [lenient.errorsText(judgeBy.errors), ...names.filter((name) => name !== undefined)].join(' ');
};
