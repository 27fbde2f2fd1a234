import { getMetadataStorage } from 'class-validator';
import 'reflect-metadata';

/** The class of a form: its members are those that have rules, its parents' included. */
export type Dto<Body extends object> = new () => Body;

/** The names that an object may have, each with the form of the object behind it; null: what is behind it has none. */
export type Form = ReadonlyMap<string, Form | null>;

/** The form of what takes nothing: no name is known. */
export const NO_FORM: Form = new Map();

const forms = new Map<object, Form>();

/** The form of a DTO. It is read once. */
export const formOf = (dto: Dto<object>): Form => {
  const form = forms.get(dto) ?? readForm(dto);
  forms.set(dto, form);
  return form;
};

const readForm = (dto: Dto<object>): Form => {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return new Map(
    rules.map(({ propertyName }) => {
      const type: unknown = Reflect.getMetadata('design:type', dto.prototype as object, propertyName);
      return [propertyName, isDto(type) ? formOf(type) : null];
    }),
  );
};

/** Whether a field's type is a form itself. */
export const isDto = (type: unknown): type is Dto<object> =>
  typeof type === 'function' && formOf(type as Dto<object>).size > 0;
