import { baseUrlsAt } from '#http';
import { filtersIn, filtersOf, periodOf, queryOf } from './filters.js';
import { movementsPage } from './movements.page.js';

const NOW = '2026-11-27T12:00:00.000Z';

describe('what a complaint says', () => {
  it.each([
    ['R$ 619,90', 'valor=619%2C90'],
    ['r$1.619,90', 'valor=1.619%2C90'],
    ['619,90', 'valor=619%2C90'],
    ['4242', 'final=4242'],
    ['619,90 4242 27/11', 'valor=619%2C90&dia=2026-11-27&final=4242'],
    ['al4011', 'voo=AL4011'],
    ['AL 4011, 5/12/2027', 'voo=AL4011&data=2027-12-05'],
    ['2026-11-27', 'dia=2026-11-27'],
  ])('is an amount, a card, a flight or a date: %s', (text, query) => {
    expect(queryOf(filtersIn(text, NOW) ?? {})).toBe(query);
    expect(queryOf(filtersOf(Object.fromEntries(new URLSearchParams(query))))).toBe(query);
  });

  it.each(['', 'ninguem', '42424', 'R$ 619,90 de ontem', 'R$ 1.2.3', '%', 'AL4011 AL4012'])('may be none: %j', (text) =>
    expect(filtersIn(text, NOW)).toBeNull(),
  );

  it('restricts nothing where it is no value of its field', () =>
    expect(
      filtersOf({ tipo: 'x', motivo: 'x', valor: 'x', dia: '27/11', final: '42', voo: '%', data: ['a'], agente: '' }),
    ).toEqual({}));
});

describe('a day and a month', () => {
  it('are those of Brasília', () => {
    expect(periodOf('2026-11-27')).toEqual({ from: '2026-11-27T03:00:00.000Z', to: '2026-11-28T03:00:00.000Z' });
    expect(periodOf('2026-12')).toEqual({ from: '2026-12-01T03:00:00.000Z', to: '2027-01-01T03:00:00.000Z' });
    expect(periodOf('2026-02')).toEqual({ from: '2026-02-01T03:00:00.000Z', to: '2026-03-01T03:00:00.000Z' });
  });

  it.each(['2026-13-01', '2026-02-31', '2026-13'])('have nothing in them where there is none: %s', (day) => {
    const { from, to } = periodOf(day);
    expect(from).toBe(to);
  });
});

describe('a filter', () => {
  it('says how many were looked at, where more may be found among older ones', () => {
    const session = { id: 's', traveller: { holder: 'h', email: 'clara@example.com', loggedInAt: NOW } };
    const audience = { session, urls: baseUrlsAt('https://alcada.example'), filters: { amount: 1 }, names: new Map() };
    const said = (looked: number) => movementsPage({ ...audience, found: { items: [], next: NOW, looked } }).html;
    expect(said(5_000)).toContain('Foram olhadas as 5.000 mais novas');
    expect(said(20)).not.toContain('Foram olhadas');
  });
});
