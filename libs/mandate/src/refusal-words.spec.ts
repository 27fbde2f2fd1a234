import { money } from '#kernel';
import { type Refused, refusalWords } from './refusal-words.js';

const old: Refused = {
  orderId: null,
  reason: 'mandate_limit_exceeded',
  amount: money(329_90, 'BRL'),
  refusedAt: '2026-01-15T12:00:00.000Z',
};
const flight = { bookingId: 'b1', flightNumber: 'AL1001', from: 'GRU', to: 'GIG', unitPrice: money(329_90, 'BRL') };
const by = (constraint: NonNullable<Refused['constraint']>, allowed: NonNullable<Refused['allowed']>): Refused => ({
  ...old,
  ...flight,
  reason: 'mandate_constraint_violated',
  constraint,
  allowed,
});
const WHAT = 'R$\u00a0329,90 recusados: São Paulo → Rio de Janeiro (AL1001).';

describe('a refusal in words', () => {
  it.each<[Refused, string]>([
    [by('to', { to: ['REC'] }), `${WHAT} O mandato só permite voos para Recife.`],
    [by('to', { to: ['REC', 'SSA'] }), `${WHAT} O mandato só permite voos para Recife ou Salvador.`],
    [by('from', { from: ['GRU', 'CGH'] }), `${WHAT} O mandato só permite voos que saem de São Paulo.`],
    [
      by('maxPricePerSeat', { maxPricePerSeat: money(300_00, 'BRL') }),
      `${WHAT} O mandato só permite até R$\u00a0300,00 por assento; este custa R$\u00a0329,90.`,
    ],
    [
      by('orderTotal', { orderTotal: { max: money(300_00, 'BRL') } }),
      `${WHAT} O mandato só permite compras de até R$\u00a0300,00.`,
    ],
    [
      by('orderTotal', { orderTotal: { min: money(400_00, 'BRL'), max: money(500_00, 'BRL') } }),
      `${WHAT} O mandato só permite compras de R$\u00a0400,00 a R$\u00a0500,00.`,
    ],
    [by('maxOrders', { maxOrders: 1 }), `${WHAT} O mandato só permite uma compra.`],
    [by('maxOrders', { maxOrders: 2 }), `${WHAT} O mandato só permite 2 compras.`],
    [{ ...old, ...flight }, `${WHAT} O valor ultrapassa o teto do mandato; nada foi cobrado.`],
    [
      { ...old, ...flight, to: 'XYZ' },
      'R$\u00a0329,90 recusados: São Paulo → XYZ (AL1001). O valor ultrapassa o teto do mandato; nada foi cobrado.',
    ],
  ])('says what was to be bought, and what the mandate allows: %j', (refused, words) => {
    expect(refusalWords(refused)).toBe(words);
  });

  it('says of an event of before what it says', () => {
    const why = 'O valor ultrapassa o teto do mandato; nada foi cobrado.';
    expect(refusalWords(old)).toBe(`Cobrança de R$\u00a0329,90 recusada. ${why}`);
    const constraint = { ...old, reason: 'mandate_constraint_violated', constraint: 'to' } as const;
    expect(refusalWords(constraint)).toMatch(
      /^Cobrança de R\$\u00a0329,90 recusada\. O mandato não permite esta compra/,
    );
  });
});
