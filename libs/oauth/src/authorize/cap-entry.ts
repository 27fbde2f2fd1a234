import { type Money, money } from '#kernel';

/** The highest cap taken, in cents: what the highest mandate may be worth (docs/decisions.md, Mandate). */
const HIGHEST = 10 ** 12;

/** Whole reais, their thousands perhaps marked by dots; then the cents: a comma and one or two digits, or a dot and two. */
const REAIS = /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2})|\.(\d{2}))?$/;

/**
 * A spending cap as a traveller writes it, in reais (docs/decisions.md, Fixed names): null where the field was left empty, so
 * that there is none; 'unreadable' for what could be meant in two ways or in none.
 */
export const capIn = (entry: string): Money | null | 'unreadable' => {
  const text = entry.trim();
  if (text === '') return null;
  const [, whole, afterComma = '', afterDot = ''] = REAIS.exec(text) ?? [];
  if (whole === undefined) return 'unreadable';
  const cents = (afterComma || afterDot).padEnd(2, '0');
  const amount = Number(whole.replaceAll('.', '') + cents);
  return amount <= HIGHEST ? money(amount, 'BRL') : 'unreadable';
};

const format = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A cap as it stands in the field, so that sending the form without touching it changes nothing. */
export const capEntry = (cap: Money | null): string => (cap ? format.format(cap.amount / 100) : '');
