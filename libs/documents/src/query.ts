/** What indexes order and conditions compare. An absent field is null, which is the least; strings are in code point order. */
export type Value = string | number | boolean | null;

/** A declared index over top-level fields of a body. `unique`: no two live documents share the values; null collides with none. */
export interface Index {
  readonly fields: readonly string[];
  readonly unique?: boolean;
}

export interface CollectionSpec {
  readonly name: string;
  readonly indexes: readonly Index[];
}

/** One condition on a field of a declared index. A range never holds null. */
export type Condition =
  | { readonly field: string; readonly equals: Value }
  | { readonly field: string; readonly atLeast?: string | number; readonly below?: string | number };

/** All of `where` hold and, if given, all conditions of at least one of the lists of `anyOf`. */
export interface Filter {
  readonly where: readonly Condition[];
  readonly anyOf?: readonly (readonly Condition[])[];
}

/** Where a page ended: the sort field's value and the id of its last document. */
export interface PageEnd {
  readonly value: Value;
  readonly id: string;
}

/** A page of documents, sorted by one field and, among equals, by id in the same direction. */
export interface Query extends Filter {
  readonly sort: { readonly field: string; readonly direction: 'ascending' | 'descending' };
  readonly limit: number;
  /** Only what comes after this end of a page. */
  readonly after?: PageEnd;
}

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
