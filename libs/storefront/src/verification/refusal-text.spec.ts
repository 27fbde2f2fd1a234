import { money } from '#kernel';
import { refusalWords } from '#mandate';
import { refusalText } from './refusal-text.js';
import { REFUSAL_NAMES } from './verification.page.js';

type Refused = Parameters<typeof refusalWords>[0];

const old: Refused = {
  orderId: null,
  reason: 'mandate_limit_exceeded',
  amount: money(329_90, 'BRL'),
  refusedAt: '2026-01-15T12:00:00.000Z',
};
const trip = { ...old, flightNumber: 'AL1001', from: 'GRU', to: 'XYZ' };
const flight = { ...trip, unitPrice: money(329_90, 'USD') };
const by = (allowed: Refused['allowed']): Refused => ({ ...flight, reason: 'mandate_constraint_violated', allowed });

describe('a refusal on the page of verification', () => {
  it.each<Refused>([
    old,
    flight,
    { ...flight, reason: 'mandate_paused' },
    { ...old, reason: 'mandate_constraint_violated', constraint: 'to' },
    by({ to: ['REC', 'ZZZ'] }),
    by({ from: ['GRU', 'CGH'] }),
    by({ maxPricePerSeat: money(300_00, 'BRL') }),
    { ...trip, reason: 'mandate_constraint_violated', allowed: { maxPricePerSeat: money(300_00, 'BRL') } },
    by({ orderTotal: { max: money(300_00, 'BRL') } }),
    by({ orderTotal: { min: money(100_00, 'BRL'), max: money(300_00, 'BRL') } }),
    by({ maxOrders: 1 }),
    by({ maxOrders: 2 }),
  ])('is said as on every other page: %j', (refused) => {
    expect(refusalText(refused, REFUSAL_NAMES)).toBe(refusalWords(refused));
  });

  it.each<[Record<string, unknown>, string]>([
    [{ reason: 'mandate_paused' }, 'O mandato está em pausa'],
    [{ reason: 'constructor' }, 'constructor'],
    [{ reason: 7, allowed: 'REC', amount: { amount: '1', currency: 'BRL' } }, ''],
    [{ amount: { amount: 1, currency: '<b>' }, allowed: { to: [1], maxPricePerSeat: null }, reason: 'x' }, 'x'],
  ])('whose data may be anything is said as far as they go: %j', (data, words) => {
    expect(refusalText(data, REFUSAL_NAMES).startsWith(words)).toBe(true);
    if (words === '') expect(refusalText(data, REFUSAL_NAMES)).toBe('');
  });
});
