import { money } from '#kernel';
import fc from 'fast-check';
import { anyText } from '#testing';
import { capEntry, capIn } from './cap-field.js';

const cents = fc.integer({ min: 0, max: 10 ** 12 });
const digits = (amount: number): readonly [string, string] => [
  Math.floor(amount / 100).toString(),
  (amount % 100).toString().padStart(2, '0'),
];
const withThousands = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, '.');

describe('a spending cap as a traveller writes it (rule 19)', () => {
  it.each([
    ['0', 0],
    ['1500', 1_500_00],
    ['1.500', 1_500_00],
    ['1.500,00', 1_500_00],
    ['1500,5', 1_500_50],
    ['1500,05', 1_500_05],
    ['1500.50', 1_500_50],
    ['1.00', 1_00],
    ['1.500.50', 1_500_50],
    ['1.234.567,89', 1_234_567_89],
    ['10.000.000.000,00', 10 ** 12],
    ['  1.500,00 ', 1_500_00],
  ])('%j is %d cents', (entry, amount) => {
    expect(capIn(entry)).toEqual(money(amount, 'BRL'));
  });

  it.each(['', ' ', '\t'])('%j is no cap', (entry) => {
    expect(capIn(entry)).toBeNull();
  });

  it.each([
    'mil',
    '-1',
    '+1',
    '1e3',
    'R$ 10',
    '10 reais',
    '1,500',
    '1,500.00',
    '1,000,000',
    '1.5',
    '1.5000',
    '12.34.567',
    '1500.000',
    '0.500',
    '1.500,',
    ',50',
    '.50',
    '1,5,0',
    '1..500',
    '1 500',
    '1.500,000',
    '١٢٣',
    '10.000.000.000,01',
    '9'.repeat(40),
    'NaN',
    'Infinity',
  ])('%j is unreadable', (entry) => {
    expect(capIn(entry)).toBe('unreadable');
  });

  it('means the same with a comma or a dot before the cents, and with or without thousands', () => {
    fc.assert(
      fc.property(cents, fc.constantFrom(',', '.'), fc.boolean(), (amount, separator, marked) => {
        const [whole, rest] = digits(amount);
        const entry = (marked ? withThousands(whole) : whole) + separator + rest;
        expect(capIn(entry)).toEqual(money(amount, 'BRL'));
      }),
    );
  });

  it('means whole reais without cents, a dot and three digits being thousands', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 10 }), fc.boolean(), (reais, marked) => {
        const whole = reais.toString();
        expect(capIn(marked ? withThousands(whole) : whole)).toEqual(money(reais * 100, 'BRL'));
      }),
    );
  });

  it('is read back from the field as it was shown there', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(capIn(capEntry(money(amount, 'BRL')))).toEqual(money(amount, 'BRL'));
      }),
    );
    expect(capIn(capEntry(null))).toBeNull();
  });

  it('is a whole number of cents within bounds, no cap, or unreadable, whatever is typed', () => {
    const keys = fc.string({ unit: fc.constantFrom(...'0123456789.,- R$e\u00a0'.split('')), maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(keys, anyText()), (entry) => {
        const cap = capIn(entry);
        if (cap === null) expect(entry.trim()).toBe('');
        else if (cap !== 'unreadable') {
          expect(Number.isInteger(cap.amount) && cap.amount >= 0 && cap.amount <= 10 ** 12).toBe(true);
          expect(entry.trim()).toMatch(/^[\d.,]+$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
