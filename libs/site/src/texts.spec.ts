import { money } from '#kernel';
import { instantText, moneyText, monthText, shortInstantText } from './texts.js';

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

describe('an instant on a page that names the zone once', () => {
  it.each([
    ['2026-02-01T02:59:59.999Z', '31 jan. 2026, 23:59', 'janeiro'],
    ['2026-03-01T03:00:00.000Z', '1 mar. 2026, 00:00', 'março'],
  ])('%s reads %j, in %s', (instant, text, month) => {
    expect([shortInstantText(instant), monthText(instant)]).toEqual([text, month]);
  });
});

describe('an instant on a page', () => {
  it.each([
    ['2026-01-31T12:00:00.000Z', '31 de janeiro de 2026, 09:00 (horário de Brasília)'],
    ['2026-02-01T02:59:59.999Z', '31 de janeiro de 2026, 23:59 (horário de Brasília)'],
    ['2026-03-01T03:00:00.000Z', '1 de março de 2026, 00:00 (horário de Brasília)'],
  ])('%s reads %j', (instant, text) => {
    expect(instantText(instant)).toBe(text);
  });
});
