import { DomainError, type ErrorCode, type Instant } from '#kernel';

/** A card as an agent sends it. It is in memory only, for the duration of one request. */
export interface Card {
  readonly cardNumber: string;
  /** MM/YY, MM/YYYY or YYYY-MM. */
  readonly expiry: string;
  readonly cvc: string;
}

/** All that is ever stored of a card. */
export interface CardSummary {
  readonly brand: string;
  readonly last4: string;
}

export const digitsOf = ({ cardNumber }: Pick<Card, 'cardNumber'>): string => cardNumber.replace(/[\s-]/g, '');

/** What is stored of a card: its scheme, known by its first digits, and the last four digits. */
export const summaryOf = (card: Card): CardSummary => {
  const digits = digitsOf(card);
  const brand = BRANDS.find(([pattern]) => pattern.test(digits))?.[1] ?? 'unknown';
  return { brand, last4: digits.slice(-4) };
};

const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(?:5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(?:6011|65|64[4-9])/, 'discover'],
  [/^3(?:0[0-5]|[68])/, 'diners'],
];

/** Checks form, check digit and expiry. @throws DomainError `payment_card_invalid`, `payment_card_expired` */
export const checkCard = (card: Card, now: Instant): void => {
  const code = cardError(card, now);
  if (code) throw new DomainError(code);
};

const cardError = (card: Card, now: Instant): ErrorCode | null => {
  const digits = digitsOf(card);
  const expiry = expiryOf(card.expiry);
  const wellFormed = /^\d{12,19}$/.test(digits) && passesLuhn(digits) && /^\d{3,4}$/.test(card.cvc);
  if (!wellFormed || !expiry) return 'payment_card_invalid';
  // Valid to the end of its month, UTC.
  return expiry < now.slice(0, 7) ? 'payment_card_expired' : null;
};

/** The check digit of ISO/IEC 7812-1, Annex B: every second digit from the right counts double. */
const passesLuhn = (digits: string): boolean => {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
};

/** The month of expiry as YYYY-MM, or null if the text is not one. */
const expiryOf = (text: string): string | null => {
  const match =
    /^(?<month>\d\d)\/(?:(?<century>20)?(?<year>\d\d))$/.exec(text) ??
    /^(?<century>20)(?<year>\d\d)-(?<month>\d\d)$/.exec(text);
  const { month = '', year = '' } = match?.groups ?? {};
  return /^(?:0[1-9]|1[0-2])$/.test(month) ? `20${year}-${month}` : null;
};
