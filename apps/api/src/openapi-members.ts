import type { OpenAPIObject } from '@nestjs/swagger';
import { MEMBER_TEXTS } from './openapi-member-texts.js';
import { eachOperation, type Operation } from './openapi-operations.js';
import { ENGLISH } from './openapi-texts.js';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** A thing with its text in both languages: its own and the English of it, or else what the table says. `owner`: the schema or operation that it stands in. */
const told = <Thing extends object>(thing: Thing, name: string, owner = ''): Thing => {
  if ('description' in thing) {
    const english = ENGLISH[`${owner}.${name}`] ?? ENGLISH[name];
    return english === undefined ? thing : { ...thing, 'x-description-en': english };
  }
  const [description, english] = MEMBER_TEXTS[`${owner}.${name}`] ?? MEMBER_TEXTS[name] ?? [];
  return description === undefined ? thing : { ...thing, description, 'x-description-en': english };
};

/** A schema whose members say what they are, however deep they stand in it. */
const membersTold = (schema: Schema, owner: string): Schema => {
  if (!('type' in schema || 'properties' in schema || 'allOf' in schema || 'anyOf' in schema || 'oneOf' in schema))
    return schema;
  const inside = (one: Schema): Schema => membersTold(one, owner);
  const { properties, items, additionalProperties, allOf, anyOf, oneOf } = schema;
  const members = Object.entries(properties ?? {}).map(
    ([name, one]) => [name, told(inside(one), name, owner)] as const,
  );
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: inside(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inside(additionalProperties) }),
    ...(allOf && { allOf: allOf.map(inside) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(oneOf && { oneOf: oneOf.map(inside) }),
  };
};

/** An operation's parameters; an `id` is that of what its operations are about. */
const parametersTold = ({ parameters = [], operationId = '', tags: [tag = ''] = [] }: Operation) =>
  parameters.map((one) => {
    if (!('name' in one)) return one;
    const isTold = 'description' in one || one.name in ENGLISH;
    return told(one, one.name, isTold || `${operationId}.${one.name}` in MEMBER_TEXTS ? operationId : tag);
  });

/** A description in which all that operations take and schemas hold says what it is, in Portuguese and English. */
export const withMembersTold = (document: OpenAPIObject): OpenAPIObject => {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => [name, told(membersTold(schema, name), name)] as const,
  );
  const described = eachOperation(document, (operation) => ({
    ...operation,
    ...(operation.parameters && { parameters: parametersTold(operation) }),
  }));
  return { ...described, components: { ...described.components, schemas: Object.fromEntries(schemas) } };
};
