import type { OpenAPIObject } from '@nestjs/swagger';
import { MEMBER_TEXTS } from './openapi-member-texts.js';
import { eachOperation, type Operation } from './openapi-operations.js';
import { ENGLISH } from './openapi-texts.js';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** A thing with its text in both languages: its own and the English of it, or else what the table says. `owner`: the schema or operation that it stands in. */
const described = <Thing extends object>(thing: Thing, name: string, owner = ''): Thing => {
  if ('description' in thing) {
    const english = ENGLISH[`${owner}.${name}`] ?? ENGLISH[name];
    return english === undefined ? thing : { ...thing, 'x-description-en': english };
  }
  const [description, english] = MEMBER_TEXTS[`${owner}.${name}`] ?? MEMBER_TEXTS[name] ?? [];
  return description === undefined ? thing : { ...thing, description, 'x-description-en': english };
};

/** A schema whose members say what they are, however deep they stand in it. */
const describedMembers = (schema: Schema, owner: string): Schema => {
  if (!('type' in schema || 'properties' in schema || 'allOf' in schema || 'anyOf' in schema || 'oneOf' in schema))
    return schema;
  const inside = (one: Schema): Schema => describedMembers(one, owner);
  const { properties, items, additionalProperties, allOf, anyOf, oneOf } = schema;
  const members = Object.entries(properties ?? {}).map(
    ([name, one]) => [name, described(inside(one), name, owner)] as const,
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
const describedParameters = ({ parameters = [], operationId = '', tags: [tag = ''] = [] }: Operation) =>
  parameters.map((one) => {
    if (!('name' in one)) return one;
    const isDescribed = 'description' in one || one.name in ENGLISH;
    return described(one, one.name, isDescribed || `${operationId}.${one.name}` in MEMBER_TEXTS ? operationId : tag);
  });

/** A description in which all that operations take and schemas hold says what it is, in Portuguese and English. */
export const withMemberTexts = (document: OpenAPIObject): OpenAPIObject => {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => [name, described(describedMembers(schema, name), name)] as const,
  );
  const withParameters = eachOperation(document, (operation) => ({
    ...operation,
    ...(operation.parameters && { parameters: describedParameters(operation) }),
  }));
  return { ...withParameters, components: { ...withParameters.components, schemas: Object.fromEntries(schemas) } };
};
