import { describe, expect, it } from '@jest/globals';
import { money } from '#kernel';
import { moneyText } from './money-text.js';

describe('an amount on a page', () => {
  it.each([
    [money(0, 'BRL'), 'R$\u00a00,00'],
    [money(1_234_50, 'BRL'), 'R$\u00a01.234,50'],
    [money(10 ** 12, 'BRL'), 'R$\u00a010.000.000.000,00'],
    [money(5, 'USD'), 'US$\u00a00,05'],
    [money(1_00, 'EUR'), '€\u00a01,00'],
  ])('%j reads %j', (amount, text) => {
    expect(moneyText(amount)).toBe(text);
  });
});
