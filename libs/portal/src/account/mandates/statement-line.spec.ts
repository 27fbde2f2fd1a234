import { type Actor, money, SYSTEM } from '#kernel';
import type { HistoryLine } from '#mandate';
import { type Actors, statementEntry } from './statement-line.js';

const AT = '2026-01-31T12:00:00.000Z';
const line: HistoryLine = {
  revision: 1,
  type: 'MandateReserved',
  occurredAt: AT,
  clientId: 'agente',
  orderId: null,
  amount: money(279_90, 'BRL'),
  remaining: money(20_10, 'BRL'),
  reason: null,
  refused: null,
  hash: 'a'.repeat(64),
  previousHash: '0'.repeat(64),
};

const refused = { orderId: null, reason: 'mandate_expired', amount: money(279_90, 'BRL'), refusedAt: AT } as const;

const nameOf = () => ({ name: '<Agente>', pilot: false });
const actors: Actors = { nameOf, cancellers: new Map(), grantedBy: 'agent' };
const textOf = (change: Partial<HistoryLine>, more: Partial<Actors> = {}): string =>
  statementEntry([{ ...line, ...change }], { ...actors, ...more })
    .text.replace(/<[^>]*>/g, ' ')
    .replace(/[ \n]+/g, ' ')
    .trim();
const SUM = 'R$\u00a0279,90';

describe('an event of a mandate, to its holder', () => {
  it.each<[Partial<HistoryLine>, string]>([
    [{ type: 'MandateCreated' }, `Mandato criado, com teto de ${SUM}`],
    [{ type: 'MandateReserved' }, `${SUM} reservados para um pedido, antes da cobrança`],
    [{ type: 'MandateConsumed' }, `${SUM} cobrados`],
    [{ type: 'MandateReleased' }, `${SUM} liberados: o pedido não foi cobrado`],
    [{ type: 'MandateReleased', amount: money(0, 'BRL') }, 'Pedido encerrado sem nada reservado'],
    [
      { type: 'MandateChargeRefused', reason: refused.reason, refused },
      `Cobrança de ${SUM} recusada. O mandato expirou; nada foi cobrado.`,
    ],
    [
      { type: 'MandateChargeRefused', refused: { ...refused, flightNumber: 'AL1001', from: 'GRU', to: 'GIG' } },
      `${SUM} recusados: São Paulo → Rio de Janeiro (AL1001). O mandato expirou; nada foi cobrado.`,
    ],
    [{ type: 'MandateRevoked', amount: null }, 'Mandato revogado: nada mais pode ser cobrado'],
    [{ type: 'MandateExpired', amount: null }, 'Mandato vencido: nada mais pode ser cobrado'],
  ])('%j says what happened', (change, words) => {
    expect(textOf(change).startsWith(words)).toBe(true);
  });

  it.each<[string | null, Actors['grantedBy'], string]>([
    ['agente', 'traveller', 'Você'],
    [null, 'traveller', 'Você'],
    ['agente', 'agent', '&lt;Agente&gt;'],
  ])('says of a mandate that %s wrote down for the %s: %s', (clientId, grantedBy, who) => {
    expect(textOf({ type: 'MandateCreated', clientId }, { grantedBy })).toContain(`${who} · 31 jan`);
  });

  it.each<[Partial<HistoryLine>, string, string]>([
    [{}, '&lt;Agente&gt;', 'disponível'],
    [{ clientId: null }, 'Alçada', 'disponível'],
    [{ clientId: null, type: 'MandateRevoked', amount: null }, 'Você', 'não usado'],
    [{ type: 'MandateRevoked', amount: null }, '&lt;Agente&gt;', 'não usado'],
    [{ clientId: null, type: 'MandateExpired', amount: null }, 'Alçada', 'não usado'],
  ])('%j says who did it, when, and what was left', (change, who, left) => {
    expect(textOf(change)).toMatch(new RegExp(`${who} · 31 jan\\. 2026, 09:00 · ${left}: R\\$\u00a020,10$`));
  });

  it.each<[string, Actor, Actor['clientId'], string]>([
    ['the traveller', { holder: 'ana', clientId: null }, null, 'Você'],
    ['the traveller, where an agent found it open', { holder: 'ana', clientId: null }, 'agente', 'Você'],
    ['the agent', { holder: 'ana', clientId: 'agente' }, 'agente', '&lt;Agente&gt;'],
    ['the agent, where recovery finished it', { holder: 'ana', clientId: 'agente' }, null, '&lt;Agente&gt;'],
    ['the operator, where an agent found it open', SYSTEM, 'agente', 'Alçada'],
  ])('is a refund of who cancelled the order: %s', (_, canceller, clientId, who) => {
    const cancellers = new Map([['o1', canceller]]);
    expect(textOf({ type: 'MandateRefunded', orderId: 'o1', clientId }, { cancellers })).toMatch(
      new RegExp(`^${SUM.replace('$', '\\$')} devolvidos: o pedido foi cancelado ${who} · `),
    );
  });

  it('leads to the order it belongs to', () => {
    const { text } = statementEntry([{ ...line, orderId: 'o1' }], actors);
    expect(text).toContain('href="/conta/pedidos/o1"');
  });

  it('stands with what led to it, the newest first', () => {
    const paid = { ...line, type: 'MandateConsumed', orderId: 'o1', revision: 2 } as const;
    const held = { ...line, orderId: 'o1', remaining: money(300_00, 'BRL') };
    const { text } = statementEntry([paid, held], actors);
    expect(text.indexOf('cobrados')).toBeLessThan(text.indexOf('reservados para um pedido'));
    expect(text).not.toContain('300,00');
    expect(text.split('/conta/pedidos/o1')).toHaveLength(2);
  });
});
