import type { Type } from '@nestjs/common';
import { validated } from '#http';
import { DomainError } from '#kernel';
import { type ObjectSchema, schemaOf } from './json-schema.js';

/** What a tool takes: its form, and how given arguments are judged by it. */
export interface Input<Args extends object> {
  readonly schema: ObjectSchema;
  /** @throws DomainError `invalid_arguments`, with what the DTO says of each field */
  readonly read: (given: object) => Args;
}

/** Arguments in the form of a JSON body of the API. */
export const fromBody = <Args extends object>(dto: Type<Args>): Input<Args> => ({
  schema: schemaOf(dto, true),
  read: (given) => judged(dto, given),
});

/** Arguments in the form of the API's path and query, where every value is a text: here an integer is one. */
export const fromQuery = <Args extends object>(dto: Type<Args>): Input<Args> => {
  const schema = schemaOf(dto, true);
  return { schema, read: (given) => judged(dto, asTexts(given, schema)) };
};

const judged = <Args extends object>(dto: Type<Args>, given: object): Args => {
  try {
    return validated(dto, given);
  } catch (error) {
    throw error instanceof DomainError ? new DomainError('invalid_arguments', error.details, { cause: error }) : error;
  }
};

/** An integer as the text it is in a query; a text in an integer's place is as wrong as any other value. */
const asTexts = (given: object, { properties }: ObjectSchema): object =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      if (properties[name]?.type !== 'integer') return [name, value];
      return [name, typeof value === 'number' ? String(value) : null];
    }),
  );
