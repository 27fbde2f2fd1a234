import type { CollectionSpec } from './query.js';

/** The fields of a collection that can be asked: those that an index was declared for. */
export type Fields = ReadonlySet<string>;

export const fieldsOf = ({ indexes }: CollectionSpec): Fields => new Set(indexes.flatMap(({ fields }) => fields));

/** @throws TypeError where no index was declared for the field. */
export const declaredField = (fields: Fields, name: string): string => {
  if (!fields.has(name)) throw new TypeError(`no index was declared for ${name}`);
  return name;
};

/** A name of ours: checked against the pattern, never quoted away. */
const NAME = /^[a-z][a-zA-Z0-9-]*$/;

/** Whether a collection, a field or an index may be called this: kebab-case or camelCase. */
export const isName = (name: string): boolean => NAME.test(name);

/** @throws TypeError where the name of a collection, a field or an index is not kebab-case or camelCase. */
export const checkedName = (name: string): string => {
  if (!isName(name)) throw new TypeError(`not a name of a collection, field or index: ${JSON.stringify(name)}`);
  return name;
};
