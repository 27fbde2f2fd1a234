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

/** A name of ours: checked against the pattern, never quoted away. */
const NAME = /^[a-z][a-zA-Z0-9-]*$/;

/** Whether a collection, a field or an index may be called this: kebab-case or camelCase. */
export const isName = (name: string): boolean => NAME.test(name);

/** @throws TypeError where the name of a collection, a field or an index is not kebab-case or camelCase. */
export const checkedName = (name: string): string => {
  if (!isName(name)) throw new TypeError(`not a name of a collection, field or index: ${JSON.stringify(name)}`);
  return name;
};

/**
 * The first string, by code points, after all that start with `prefix`; null where there is none. It makes a prefix a
 * range, which every store can compare and an index serves.
 */
export const afterAll = (prefix: string): string | null => {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  const isBeforeSurrogates = last === 0xd7ff;
  return String.fromCodePoint(...points, isBeforeSurrogates ? 0xe000 : last + 1);
};
