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
