import type { PipeTransform } from '@nestjs/common';
import { DomainError, type ErrorCode } from '#kernel';
import {
  getMetadataStorage,
  ValidateIf,
  validateSync,
  type ValidationError,
  type ValidationOptions,
} from 'class-validator';
import 'reflect-metadata';

const storage = getMetadataStorage();
const rulesOf = storage.getTargetValidationMetadatas.bind(storage);
const rules = new Map<unknown, ReturnType<typeof rulesOf>>();

/** The rules of a class, its parents' included: found once. For every object class-validator would ask of all classes whether they are parents. */
storage.getTargetValidationMetadatas = (dto, ...others) => {
  const known = rules.get(dto) ?? rulesOf(dto, ...others);
  rules.set(dto, known);
  return known;
};

/** The class of a form: its members are those that have rules, its parents' included. */
export type Dto<Body extends object> = new () => Body;

/** The names that an object may have, each with the form of the object behind it; null: what is behind it has none. */
export type Form = ReadonlyMap<string, Form | null>;

/** The form of what takes nothing: no name is known. */
export const NO_FORM: Form = new Map();

const forms = new Map<object, Form>();
const types = new Map<object, ReadonlyMap<string, unknown>>();

const closedForms = new WeakSet<Form>();

/** Marks a DTO that refuses unknown members, since a restriction that was ignored would restrict too little. */
export const Closed = (): ClassDecorator => (dto) => Reflect.defineMetadata(CLOSED, true, dto);
const CLOSED = 'alcada:closed';

/** Marks a DTO whose names its sender chooses: none of them is unknown, and its rule judges it as it was sent. */
export const OpenForm = (): ClassDecorator => (dto) => Reflect.defineMetadata(OPEN, true, dto);
const OPEN = 'alcada:open';

const listForms = new WeakSet<Form>();
const listForm = (element: Form): Form => {
  const form = new Map(element);
  listForms.add(form);
  return form;
};
export const isList = (form: Form): boolean => listForms.has(form);

/** Marks a member that is a list of objects, each of them in the form of this DTO. */
export const ListOf =
  (element: Dto<object>): PropertyDecorator =>
  (target, name) =>
    Reflect.defineMetadata(ELEMENT, element, target, name);
const ELEMENT = 'alcada:element';

class ListType {
  constructor(readonly element: Dto<object>) {}
}

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
  new Map(
    [...typesOf(dto)].map(([name, type]) => {
      if (type instanceof ListType) return [name, listForm(formOf(type.element))];
      return [name, isDto(type) ? formOf(type) : null];
    }),
  );

/** The types of a DTO's members, by name. They are read once. */
export const typesOf = (dto: Dto<object>): ReadonlyMap<string, unknown> => {
  const known = types.get(dto) ?? readTypes(dto);
  types.set(dto, known);
  return known;
};

const readTypes = (dto: Dto<object>): ReadonlyMap<string, unknown> => {
  const prototype = dto.prototype as object;
  const typeOf = (name: string): unknown => {
    const element = Reflect.getMetadata(ELEMENT, prototype, name) as Dto<object> | undefined;
    return element ? new ListType(element) : Reflect.getMetadata('design:type', prototype, name);
  };
  const found = storage.getTargetValidationMetadatas(dto, '', false, false);
  return new Map(found.map(({ propertyName }) => [propertyName, typeOf(propertyName)]));
};

export const isDto = (type: unknown): type is Dto<object> =>
  typeof type === 'function' && formOf(type as Dto<object>).size > 0;

/** Options of a class-validator rule: the error code its breach answers, and what is wrong, in Portuguese. */
export const answers = (code: ErrorCode, message: string): ValidationOptions => ({ context: { code }, message });

const ALTERNATIVES = new Intl.ListFormat('pt-BR', { type: 'disjunction' });

/** Words of which one is meant, in Portuguese: `BRL, USD ou EUR`. */
export const eitherOf = (words: readonly string[]): string => ALTERNATIVES.format(words);

/** A field that may be absent. Unlike `@IsOptional` it does not let null pass. */
export const Optional = () => ValidateIf((_, value) => value !== undefined);

/** One breach: the field's path and its rule's code and text. */
interface Breach {
  readonly field: string;
  readonly code: ErrorCode;
  readonly message: string;
}

const MAX_BREACHES = 20;
/** Elements of a list that are looked at. No list of ours may be so long, so that the rest cannot make it right. */
const MAX_ELEMENTS = 50;

/** An untrusted object as an instance of its DTO. Only members that the DTO knows are walked. */
const instanceOf = <Body extends object>(dto: Dto<Body>, value: object): Body => {
  const body = new dto();
  for (const [field, type] of typesOf(dto)) {
    if (Object.hasOwn(value, field)) Reflect.set(body, field, memberOf(type, Reflect.get(value, field)));
  }
  return body;
};

const memberOf = (type: unknown, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (isOpenForm(type)) return value;
  if (type instanceof ListType && Array.isArray(value))
    return value.slice(0, MAX_ELEMENTS).map((element) => memberOf(type.element, element));
  if (isDto(type)) return Array.isArray(value) ? [] : instanceOf(type, value);
  return Array.isArray(value) ? value.slice(0, MAX_ELEMENTS).map(emptied) : {};
};

const emptied = (element: unknown): unknown => (typeof element === 'object' && element !== null ? {} : element);

const breachesOf = (errors: readonly ValidationError[], path = ''): readonly Breach[] =>
  errors.flatMap((error) => {
    const field = `${path}${error.property}`;
    if (error.children?.length) return breachesOf(error.children, `${field}.`);
    const constraints = Object.entries(error.constraints ?? {});
    const [rule, message] = constraints[0] ?? ['', '']; // `IsDefined` comes first, wherever it stands
    const context = error.contexts?.[rule] as { code?: ErrorCode } | undefined;
    return [{ field, code: context?.code ?? 'invalid_body', message }];
  });

/** An untrusted object as a checked DTO. @throws DomainError with the code of its first wrong field; `details` has up to twenty */
export const validated = <Body extends object>(dto: Dto<Body>, value: object): Body => {
  const body = instanceOf(dto, value);
  const breaches = breachesOf(validateSync(body, { forbidUnknownValues: false }));
  const [first] = breaches;
  if (!first) return body;
  throw new DomainError(
    first.code,
    breaches.slice(0, MAX_BREACHES).map(({ field, message }) => ({ field, message })),
  );
};

/** A JSON body as a DTO. `whenMissing`: the code where there is none, or 'allowed': it then reads as an empty object. */
export const bodyOf = <Body extends object>(
  dto: Dto<Body>,
  whenMissing: ErrorCode | 'allowed' = 'invalid_body',
): PipeTransform => ({
  transform: (value: unknown): Body => {
    if (value === undefined && whenMissing !== 'allowed') throw new DomainError(whenMissing);
    const given = value === undefined ? {} : value;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new DomainError('invalid_body');
    return validated(dto, given);
  },
});

/** The query string as a DTO: every parameter is a string; a repeated one arrives as an array and breaks its rule. */
export const queryOf = <Body extends object>(dto: Dto<Body>): PipeTransform => ({
  transform: (value: unknown): Body => validated(dto, value as object),
});
