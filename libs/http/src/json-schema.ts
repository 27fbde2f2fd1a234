import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';

/** A JSON Schema (2020-12), whole in itself: nothing in it points elsewhere. */
export interface JsonSchema {
  readonly type: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** A class, or a function that answers one: how `@ApiProperty` names another DTO or view. */
type Model = Type | (() => Type);

/** What `@ApiProperty` leaves on a field; what is not named here is a keyword of JSON Schema already. */
interface Property extends Readonly<Record<string, unknown>> {
  readonly type: string | Model;
  readonly required?: boolean;
  readonly isArray?: boolean;
  readonly nullable?: boolean;
  readonly example?: unknown;
  readonly items?: JsonSchema;
}

/** The JSON Schema of a DTO or view, by the metadata of OpenAPI: a form is written once. `hasExamples`: it shows them. */
export const schemaOf = ({ prototype }: Type, hasExamples = false): ObjectSchema => {
  const fields = fieldsOf(prototype as object);
  const required = fields.filter(([, property]) => property.required !== false).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, property]) => [name, schemaOfProperty(property, hasExamples)])),
    ...(required.length > 0 && { required }),
  };
};

const fieldsOf = (prototype: object): readonly (readonly [string, Property])[] => {
  const marked = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype) as readonly string[];
  return marked.map((mark) => {
    const name = mark.slice(1); // ":name"
    return [name, Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name) as Property] as const;
  });
};

/** A view without some of its members. Nest's `OmitType` would load all of class-validator at a start. */
export const viewWithout = <View extends object, Name extends keyof View & string>(
  { prototype }: Type<View>,
  names: readonly Name[],
): Type<Omit<View, Name>> => {
  const PartOfView = class extends Object {} as Type<object> as Type<Omit<View, Name>>;
  for (const [name, property] of fieldsOf(prototype as object))
    if (!names.some((one) => one === name))
      ApiProperty(property as ApiPropertyOptions)(PartOfView.prototype as object, name);
  return PartOfView;
};

const schemaOfProperty = (property: Property, hasExamples: boolean): JsonSchema => {
  const { type, required: _, isArray, nullable, example, items, ...keywords } = property;
  const one = items ?? schemaOfType(type, hasExamples);
  const whole = isArray || type === 'array' ? { type: 'array', items: one } : one;
  return {
    ...whole,
    ...(nullable && { type: [whole.type, 'null'].flat() }),
    ...keywords,
    ...(hasExamples && example !== undefined && { examples: [example] }),
  };
};

const schemaOfType = (type: string | Model, hasExamples: boolean): JsonSchema => {
  if (typeof type === 'string') return { type };
  if ([String, Number, Boolean].some((primitive) => primitive === type)) return { type: type.name.toLowerCase() };
  return schemaOf(isClass(type) ? type : type(), hasExamples);
};

/** An arrow function has no prototype. */
const isClass = (type: Model): type is Type => 'prototype' in type;
