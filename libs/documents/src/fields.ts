import type { CollectionSpec } from './query.js';

/** How the fields of a collection can be asked: `single` values, or `multiple` ones of an array. */
export type Fields = ReadonlyMap<string, 'single' | 'multiple'>;

/** The fields that an index was declared for. */
export const fieldsOf = ({ indexes }: CollectionSpec): Fields =>
  new Map(
    indexes.flatMap(({ fields, multiValued }) => fields.map((name) => [name, multiValued ? 'multiple' : 'single'])),
  );

/** @throws TypeError where no index was declared for the field. */
export const kindOf = (fields: Fields, name: string): 'single' | 'multiple' => {
  const kind = fields.get(name);
  if (!kind) throw new TypeError(`no index was declared for ${name}`);
  return kind;
};

/** The name of a field of one value. @throws TypeError where it has many, or no index was declared for it. */
export const singleField = (fields: Fields, name: string): string => {
  if (kindOf(fields, name) === 'multiple') throw new TypeError(`${name} has many values: only prefixes can be asked`);
  return name;
};
