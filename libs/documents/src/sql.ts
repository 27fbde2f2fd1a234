import { checkedName } from './query.js';

/** A value as the driver binds it; anything else (a boolean, an object) makes it end the process. */
export type Bound = string | number | null;

/** A piece of SQL and the values it binds. Only `sql` and `identifier` make one, so that a value never becomes text. */
export class Sql {
  constructor(
    readonly text: string,
    readonly values: readonly Bound[],
  ) {}
}

/** SQL in which a piece of SQL is spliced in and every other value is bound. */
export const sql = (texts: TemplateStringsArray, ...parts: readonly (Sql | Bound)[]): Sql =>
  joined(
    texts.flatMap((text, place) => [...(place === 0 ? [] : [pieceOf(parts[place - 1])]), new Sql(text, [])]),
    '',
  );

const pieceOf = (part: Sql | Bound | undefined): Sql =>
  part instanceof Sql ? part : new Sql('?', [checkedValue(part)]);

/** The JSON of strangers ignores types: what only pretends to be a value must not reach the driver. */
const checkedValue = (value: Bound | undefined): Bound => {
  const isValue = value === null || typeof value === 'string' || Number.isFinite(value);
  if (value === undefined || !isValue) throw new TypeError(`not a value: ${typeof value}`);
  return value;
};

/** A statement whose text is built once: it binds other values, in the places of those it was built with. */
export const template =
  ({ text, values: { length } }: Sql) =>
  (...values: readonly Bound[]): Sql => {
    if (values.length !== length) throw new TypeError(`${length} values are needed, not ${values.length}`);
    return new Sql(text, values.map(checkedValue));
  };

const joined = (pieces: readonly Sql[], separator: string): Sql =>
  new Sql(
    pieces.map(({ text }) => text).join(separator),
    pieces.flatMap(({ values }) => values),
  );

/** The pieces one after the other, with commas. */
export const list = (pieces: readonly Sql[]): Sql => joined(pieces, ', ');

/** Columns as the bytes of a JSON array, which `DocumentsFile` reads: text that is no UTF-8 would end the process in the driver. */
export const row = (columns: Sql): Sql => sql`CAST(json_array(${columns}) AS BLOB)`;

/** All of the conditions hold; true of none. */
export const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`TRUE` : sql`(${joined(conditions, ' AND ')})`;

/** At least one of the conditions holds; false of none. */
export const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`FALSE` : sql`(${joined(conditions, ' OR ')})`;

/** The name of a table or an index, made of names of ours. @throws TypeError where one is not kebab-case or camelCase. */
export const identifier = (...names: readonly string[]): Sql => new Sql(`"${names.map(checkedName).join('_')}"`, []);

const BODY = new Sql('body', []);

/** A top-level field of a body, written exactly as the indexes write it: SQLite compares the text of expressions. */
export const field = (name: string, body = BODY): Sql =>
  new Sql(`json_extract(${body.text}, '$."${checkedName(name)}"')`, body.values);
