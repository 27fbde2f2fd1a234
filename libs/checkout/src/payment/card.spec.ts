import { DomainError } from '#kernel';
import { NOW } from '#testing';
import { type Card, checkCard, summaryOf } from './card.js';

const good: Card = { cardNumber: '4242424242424242', expiry: '12/30', cvc: '123' };
const checked = (changes: Partial<Card>, now = NOW): string => {
  try {
    checkCard({ ...good, ...changes }, now);
    return 'accepted';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

describe('a card', () => {
  it.each([
    ['4242 4242-4242 4242', 'accepted'],
    ['4242424242424241', 'payment_card_invalid'],
    ['0000000000', 'payment_card_invalid'],
    ['42424242424242424242', 'payment_card_invalid'],
    ['4242x42424242424', 'payment_card_invalid'],
    ['', 'payment_card_invalid'],
  ])('with the number %s is %s', (cardNumber, outcome) => {
    expect(checked({ cardNumber })).toBe(outcome);
  });

  it.each([
    ['12/30', 'accepted'],
    ['12/2030', 'accepted'],
    ['2030-12', 'accepted'],
    ['13/30', 'payment_card_invalid'],
    ['00/30', 'payment_card_invalid'],
    ['1/30', 'payment_card_invalid'],
    ['2030-13', 'payment_card_invalid'],
    ['12/1930', 'payment_card_invalid'],
    ['amanhã', 'payment_card_invalid'],
    ['12/25', 'payment_card_expired'],
    ['2025-12', 'payment_card_expired'],
  ])('with the expiry %s is %s', (expiry, outcome) => {
    expect(checked({ expiry })).toBe(outcome);
  });

  it.each([
    ['123', 'accepted'],
    ['1234', 'accepted'],
    ['12', 'payment_card_invalid'],
    ['12345', 'payment_card_invalid'],
    ['12a', 'payment_card_invalid'],
  ])('with the security code %s is %s', (cvc, outcome) => {
    expect(checked({ cvc })).toBe(outcome);
  });

  it('is good to the end of its month, UTC', () => {
    expect(checked({ expiry: '01/26' }, '2026-01-31T23:59:59.999Z')).toBe('accepted');
    expect(checked({ expiry: '01/26' }, '2026-02-01T00:00:00.000Z')).toBe('payment_card_expired');
  });

  it('leaves only its brand and last four digits', () => {
    expect(summaryOf(good)).toEqual({ brand: 'visa', last4: '4242' });
    expect(summaryOf({ ...good, cardNumber: '5555 5555 5555 4444' })).toEqual({ brand: 'mastercard', last4: '4444' });
    expect(summaryOf({ ...good, cardNumber: '9999999999999995' })).toEqual({ brand: 'unknown', last4: '9995' });
  });
});
