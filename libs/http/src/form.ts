import { getMetadataStorage } from 'class-validator';
import 'reflect-metadata';

/** The class of a form: its members are those that have rules, its parents' included. */
export type Dto<Body extends object> = new () => Body;

/** The names that an object may have, each with the form of the object behind it; null: what is behind it has none. */
export type Form = ReadonlyMap<string, Form | null>;

/** The form of what takes nothing: no name is known. */
export const NO_FORM: Form = new Map();

const forms = new Map<object, Form>();
const types = new Map<object, ReadonlyMap<string, unknown>>();

/** Forms of which an unknown member is refused in any case. */
const closedForms = new WeakSet<Form>();

/** Marks a DTO whose unknown members are refused, since a restriction that was ignored would restrict too little. */
export const Closed = (): ClassDecorator => (dto) => Reflect.defineMetadata(CLOSED, true, dto);
const CLOSED = 'alcada:closed';

/** Marks a DTO whose names its sender chooses: none of them is unknown, and its rule judges it as it was sent. */
export const OpenForm = (): ClassDecorator => (dto) => Reflect.defineMetadata(OPEN, true, dto);
const OPEN = 'alcada:open';

/** Whether a field's type is such a DTO. */
export const isOpenForm = (type: unknown): boolean =>
  typeof type === 'function' && Reflect.getMetadata(OPEN, type) === true;

export const isClosed = (form: Form): boolean => closedForms.has(form);

/** The form of a DTO. It is read once. */
export const formOf = (dto: Dto<object>): Form => {
  const known = forms.get(dto);
  if (known) return known;
  const form = readForm(dto);
  forms.set(dto, form);
  if (Reflect.getMetadata(CLOSED, dto) === true) closedForms.add(form);
  return form;
};

const readForm = (dto: Dto<object>): Form =>
  new Map([...typesOf(dto)].map(([name, type]) => [name, isDto(type) ? formOf(type) : null]));

/** The types of a DTO's members, by name. They are read once. */
export const typesOf = (dto: Dto<object>): ReadonlyMap<string, unknown> => {
  const known = types.get(dto) ?? readTypes(dto);
  types.set(dto, known);
  return known;
};

const readTypes = (dto: Dto<object>): ReadonlyMap<string, unknown> => {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const typeOf = (name: string): unknown => Reflect.getMetadata('design:type', dto.prototype as object, name);
  return new Map(rules.map(({ propertyName }) => [propertyName, typeOf(propertyName)]));
};

/** Whether a field's type is a form itself. */
export const isDto = (type: unknown): type is Dto<object> =>
  typeof type === 'function' && formOf(type as Dto<object>).size > 0;
