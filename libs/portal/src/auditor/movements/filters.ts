import { isDate } from '#catalog';
import { ERROR_CODES, type ErrorCode, type Instant, plus } from '#kernel';
import { amountEntry, amountIn } from '#site';

/** What of the charges and refusals is wanted; what is absent restricts nothing. */
export interface Filters {
  readonly kind?: 'cobrancas' | 'recusas' | undefined;
  readonly agent?: string | undefined;
  readonly reason?: ErrorCode | undefined;
  /** Cents, of whatever currency. */
  readonly amount?: number | undefined;
  /** In Brasília: a day, `2026-11-27`, or a month, `2026-11`. */
  readonly day?: string | undefined;
  readonly last4?: string | undefined;
  readonly flight?: string | undefined;
  /** Date of the flight. */
  readonly departs?: string | undefined;
}

/** As the fields are called in addresses, in the order of the form. */
export const FIELDS = ['tipo', 'agente', 'motivo', 'valor', 'dia', 'final', 'voo', 'data'] as const;
export type Field = (typeof FIELDS)[number];

const AMOUNT = /R\$\s*([\d.]+(?:,\d{1,2})?)|\b([\d.]+,\d{2})\b/i;
const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b|\b(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?\b/;
const FLIGHT = /\b[A-Z]{2}\s?\d{3,4}\b/i;
const LAST4 = /\b\d{4}\b/;

/** What a text of a complaint says of an amount, a flight, a date and a card; null where something in it is none of them. */
export const filtersIn = (text: string, now: Instant): Filters | null => {
  let rest = text.trim();
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    if (found) rest = rest.replace(pattern, ' ');
    return found;
  };
  const [amount, date, flight, last4] = [take(AMOUNT), take(DATE), take(FLIGHT)?.[0], take(LAST4)?.[0]];
  const day = date ? dateIn(date, now) : undefined;
  const cents = amount ? amountIn(amount[1] ?? amount[2] ?? '') : undefined;
  const isNone = !amount && !date && !flight && !last4;
  if (rest.replace(/[\s,;]/g, '') !== '' || isNone || typeof cents === 'object' || cents === 'unreadable') return null;
  return {
    amount: cents,
    flight: flight?.replace(/\s/, '').toUpperCase(),
    last4,
    ...(flight ? { departs: day } : { day }),
  };
};

/** `2026-11-27`, of what was written so, or as `27/11/2026` or `27/11` of this year. */
const dateIn = ([, year, month, day, ownDay, ownMonth, ownYear]: RegExpExecArray, now: Instant): string =>
  year === undefined
    ? [ownYear ?? now.slice(0, 4), ownMonth?.padStart(2, '0'), ownDay?.padStart(2, '0')].join('-')
    : [year, month, day].join('-');

const isReason = (text: string): text is ErrorCode => (ERROR_CODES as readonly string[]).includes(text);

/** The filters in the query of an address: what is no value of its field restricts nothing, and stays in no link. */
export const filtersOf = (query: Readonly<Record<string, unknown>>): Filters => {
  const entered = (field: Field): string => {
    const value = query[field];
    return typeof value === 'string' ? value.trim().slice(0, 128) : '';
  };
  const matching = (field: Field, pattern: RegExp) =>
    pattern.test(entered(field)) ? entered(field).toUpperCase() : undefined;
  const kind = entered('tipo');
  const reason = entered('motivo');
  const amount = amountIn(entered('valor').replace(/^R\$\s*/i, ''));
  return {
    kind: kind === 'cobrancas' || kind === 'recusas' ? kind : undefined,
    agent: entered('agente') || undefined,
    reason: isReason(reason) ? reason : undefined,
    amount: typeof amount === 'number' ? amount : undefined,
    day: matching('dia', /^\d{4}-\d{2}(-\d{2})?$/),
    last4: matching('final', /^\d{4}$/),
    flight: matching('voo', /^[A-Z]{2}\d{3,4}$/i),
    departs: matching('data', /^\d{4}-\d{2}-\d{2}$/),
  };
};

/** The filters as the fields of a form and an address have them. */
export const entriesOf = (filters: Filters): Readonly<Record<Field, string>> => ({
  tipo: filters.kind ?? '',
  agente: filters.agent ?? '',
  motivo: filters.reason ?? '',
  valor: filters.amount === undefined ? '' : amountEntry(filters.amount),
  dia: filters.day ?? '',
  final: filters.last4 ?? '',
  voo: filters.flight ?? '',
  data: filters.departs ?? '',
});

/** `tipo=recusas&valor=619%2C90`: only what restricts. */
export const queryOf = (filters: Filters): string => {
  const entries = Object.entries(entriesOf(filters)).filter(([, value]) => value !== '');
  return new URLSearchParams(entries).toString();
};

/** Milliseconds that Brasília is behind UTC; there has been no summer time since 2019. */
const BEHIND_UTC = 3 * 3_600_000;
const MIDNIGHT = 'T03:00:00.000Z';

/** The month that an instant is in. */
export const monthOf = (at: Instant): string => plus(at, -BEHIND_UTC).slice(0, 7);

/** The instants from which on and before which a day or a month is; nothing for one that there is not. */
export const periodOf = (day: string | undefined): { readonly from?: Instant; readonly to?: Instant } => {
  if (day === undefined) return {};
  const isMonth = day.length === 7;
  const first = isMonth ? `${day}-01` : day;
  const from = first + MIDNIGHT;
  if (!isDate(first)) return { from, to: from };
  if (!isMonth) return { from, to: plus(from, 86_400_000) };
  const next = plus(from, 31 * 86_400_000).slice(0, 7);
  return { from, to: `${next}-01${MIDNIGHT}` };
};
