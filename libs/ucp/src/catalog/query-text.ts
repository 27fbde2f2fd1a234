import { isDate, later } from '#catalog';

/** What a free text says: a day, where it names one, and the rest of it. `all`: it asks for everything. */
export interface QueryText {
  readonly all: boolean;
  readonly date?: string;
  readonly text: string;
}

const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'];

const dayAs = (form: string): RegExp => new RegExp(`(?:^|\\s)(?:(?:em|no dia|dia|on)\\s+)?${form}(?=$|[\\s,.])`, 'iu');
/** How a day is written. */
const DAYS = [
  dayAs('(?<iso>\\d{4}-\\d{2}-\\d{2})'),
  dayAs('(?<day>\\d{1,2})/(?<number>\\d{1,2})(?:/(?<year>\\d{4}))?'),
  dayAs(`(?<day>\\d{1,2})º?\\s+de\\s+(?<month>${MONTHS.join('|')})\\p{L}*(?:\\s+de\\s+(?<year>\\d{4}))?`),
  dayAs('(?<relative>hoje|amanh[ãa])'),
];

/** Reads a text in which a day may stand as `2026-12-03`, `03/12`, `03/12/2026`, `3 de dezembro`, `hoje` or `amanhã`. Without a year the next one is meant. */
export const queryTextIn = (query: string, today: string): QueryText => {
  const found = DAYS.map((day) => day.exec(query)).find((one) => one !== null);
  const date = found ? dateOf(found.groups ?? {}, today) : null;
  const rest = found && date !== null ? query.replace(found[0], ' ') : query;
  const text = rest.replaceAll(/\s+/g, ' ').replaceAll(/^[\s,]+|[\s,]+$/g, '');
  return { all: text === '*', text: text === '*' ? '' : text, ...(date !== null && { date }) };
};

/** null: no day of the calendar. */
const dateOf = (said: Readonly<Record<string, string | undefined>>, today: string): string | null => {
  const { iso, relative, day = '', number, month = '', year } = said;
  if (iso !== undefined) return isDate(iso) ? iso : null;
  if (relative !== undefined) return /hoje/i.test(relative) ? today : later(today, 1);
  const ofYear = number ?? String(MONTHS.indexOf(month.toLowerCase()) + 1);
  const dateIn = (year: string) => `${year}-${ofYear.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const thisYear = today.slice(0, 4);
  const date = dateIn(year ?? thisYear);
  const meant = year === undefined && date < today ? dateIn(String(Number(thisYear) + 1)) : date;
  return isDate(meant) ? meant : null;
};

const BEFORE = /^(?:(?:voos?|passage(?:m|ns)|de|saindo|from)\s+)*/iu;
const BETWEEN = /\s*(?:→|->|–|—)\s*|\s+(?:-|para|pra|até|a|to)\s+/iu;
const CODES = /^([a-z]{3})[\s-]+([a-z]{3})$/i;

/** A text as from one place to another: `São Paulo para Recife`, `GRU REC`; null: it is not written so. */
export const journeyIn = (text: string): { readonly from: string; readonly to: string } | null => {
  const said = text.replace(BEFORE, '');
  const [from = '', to = '', ...more] = CODES.exec(said)?.slice(1) ?? said.split(BETWEEN);
  return from === '' || to === '' || more.length > 0 ? null : { from, to };
};
