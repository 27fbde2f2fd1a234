import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** A schema as it is published. */
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
