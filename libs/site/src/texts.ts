import { type Currency, type Instant, millisecondsOf, type Money, plus } from '#kernel';

const formats = new Map<Currency, Intl.NumberFormat>();

/** An amount as a page shows it: `R$ 1.234,50`. The space does not break. */
export const moneyText = ({ amount, currency }: Money): string => {
  const format = formats.get(currency) ?? new Intl.NumberFormat('pt-BR', { style: 'currency', currency });
  formats.set(currency, format);
  return format.format(amount / 100);
};

/** Where the service's travellers are; every page says so beside the time. */
const ZONE = { timeZone: 'America/Sao_Paulo' } as const;
const DATE = new Intl.DateTimeFormat('pt-BR', { ...ZONE, dateStyle: 'long' });
const TIME = new Intl.DateTimeFormat('pt-BR', { ...ZONE, timeStyle: 'short' });

const SHORT_DATE = new Intl.DateTimeFormat('pt-BR', { ...ZONE, day: 'numeric', month: 'short', year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('pt-BR', { ...ZONE, month: 'long' });

/** The day of an instant: `21 nov. 2026`. */
export const shortDayText = (instant: Instant): string =>
  SHORT_DATE.format(millisecondsOf(instant)).replaceAll(' de ', ' ');

/** The time of day of an instant: `12:48`. */
export const clockText = (instant: Instant): string => TIME.format(millisecondsOf(instant));

/** An instant on a page that names the zone once for all of them: `21 nov. 2026, 12:48`. */
export const shortInstantText = (instant: Instant): string => `${shortDayText(instant)}, ${clockText(instant)}`;

const DAY = new Intl.DateTimeFormat('pt-BR', { ...ZONE, day: 'numeric', month: 'short' });

/** An instant soon after `now`, in the middle of a sentence: `hoje, 17:05`, `amanhã, 9:30`, `3 de dez., 17:05`. */
export const soonText = (instant: Instant, now: Instant): string => {
  const [then, today, tomorrow] = [instant, now, plus(now, 86_400_000)].map((one) => DAY.format(millisecondsOf(one)));
  const day = then === today ? 'hoje' : then === tomorrow ? 'amanhã' : String(then);
  return `${day}, ${TIME.format(millisecondsOf(instant))}`;
};

/** What stands before an amount in this currency: `R$`. */
export const currencySign = (currency: Currency): string =>
  moneyText({ amount: 0, currency }).split('\u00a0', 1)[0] ?? '';

export const ZONE_NOTE = 'Datas e horas no horário de Brasília.';

/** The month that an instant is in: `novembro`. */
export const monthText = (instant: Instant): string => MONTH.format(millisecondsOf(instant));

/** An instant as a page shows it: `21 de novembro de 2026, 12:48 (horário de Brasília)`. */
export const instantText = (instant: Instant): string => {
  const milliseconds = millisecondsOf(instant);
  return `${DATE.format(milliseconds)}, ${TIME.format(milliseconds)} (horário de Brasília)`;
};

/** Whole numbers, with or without dots between thousands; then perhaps cents: a comma and one or two digits, or a dot and two. */
const AMOUNT = /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2})|\.(\d{2}))?$/;

/** The highest amount accepted, in cents: the highest limit of a mandate (docs/decisions.md, Mandate). */
const HIGHEST = 10 ** 12;

/** An amount in cents as a traveller writes it (docs/decisions.md, Fixed names); null: empty; 'unreadable': not one meaning. */
export const amountIn = (entry: string): number | null | 'unreadable' => {
  const text = entry.trim();
  if (text === '') return null;
  const [, whole, afterComma = '', afterDot = ''] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return 'unreadable';
  const cents = (afterComma || afterDot).padEnd(2, '0');
  const amount = Number(whole.replaceAll('.', '') + cents);
  return amount <= HIGHEST ? amount : 'unreadable';
};

const format = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The text of an amount in its field. Sending the form unchanged changes nothing. */
export const amountEntry = (cents: number): string => format.format(cents / 100);
