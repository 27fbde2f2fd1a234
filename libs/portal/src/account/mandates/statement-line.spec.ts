import { type Actor, money, SYSTEM } from '#kernel';
import type { HistoryEntry, HistoryLine } from '#mandate';
import type { PlacedOrder } from '#order';
import { type Actors, statementLines, statementRows } from './statement-line.js';

const AT = '2026-01-31T12:00:00.000Z';
const line: HistoryLine = {
  revision: 1,
  type: 'MandateReserved',
  occurredAt: AT,
  clientId: 'agente',
  orderId: 'o1',
  amount: money(279_90, 'BRL'),
  remaining: money(20_10, 'BRL'),
  reason: null,
  refused: null,
  hash: 'a'.repeat(64),
  previousHash: '0'.repeat(64),
};

const refused = { orderId: null, reason: 'mandate_expired', amount: money(279_90, 'BRL'), refusedAt: AT } as const;
const checkout = { line: { flightNumber: 'AL4011', from: 'GRU', to: 'REC', departureDate: '2026-12-05' } };
const declined = { kind: 'failed', failure: 'payment_declined', checkout };

const nameOf = () => ({ name: '<Agente>', pilot: false });
const orders = new Map<string, object>([
  ['o1', { kind: 'paid', checkout }],
  ['o2', declined],
]) as unknown as ReadonlyMap<string, PlacedOrder>;
const actors: Actors = { nameOf, cancellers: new Map(), grantedBy: 'agent', orders };
const textOf = (change: Partial<HistoryLine>, more: Partial<Actors> = {}): string =>
  statementRows({ entries: [[{ ...line, ...change }]], nextCursor: null }, { ...actors, ...more })
    .text.replace(/<[^>]*>/g, ' ')
    .replace(/[ \n]+/g, ' ')
    .trim()
    .replace(/^31 jan\. 2026 /, '');
const SUM = 'R$\u00a0279,90';
const ROUTE = 'São Paulo → Recife';

describe('a line of a statement, to its holder', () => {
  it.each<[Partial<HistoryLine>, string]>([
    [{ type: 'MandateCreated', orderId: null }, `Mandato criado, com teto de ${SUM}`],
    [{ type: 'MandateReserved' }, `${ROUTE} ${SUM} Separado para esta compra, que está em andamento.`],
    [{ type: 'MandateConsumed' }, `${ROUTE} \u2212${SUM} Voo AL4011, 05/12/2026`],
    [{ type: 'MandateConsumed', orderId: 'unknown' }, `Compra \u2212${SUM} &lt;Agente`],
    [
      { type: 'MandateReleased', orderId: 'o2' },
      `${ROUTE} ${SUM} Não comprada. O pagamento foi recusado pelo emissor do cartão.`,
    ],
    [{ type: 'MandateReleased', amount: money(0, 'BRL') }, `${ROUTE} Não comprada. Nada foi gasto.`],
    [{ type: 'MandateRefunded', amount: money(0, 'BRL') }, `${ROUTE} Compra cancelada, sem nada a devolver.`],
    [
      { type: 'MandateChargeRefused', orderId: null, refused: { ...refused, from: 'GRU', to: 'GIG' } },
      `São Paulo → Rio de Janeiro ${SUM} Recusada. O mandato`,
    ],
    [{ type: 'MandateRevoked', orderId: null, amount: null }, 'Mandato encerrado: nada mais pode ser gasto'],
    [{ type: 'MandateExpired', orderId: null, amount: null }, 'Mandato encerrado por prazo: nada mais pode ser gasto'],
  ])('%j says what happened', (change, words) => {
    expect(textOf(change).startsWith(words)).toBe(true);
  });

  it.each<[string | null, Actors['grantedBy'], string]>([
    ['agente', 'traveller', 'Você'],
    [null, 'traveller', 'Você'],
    ['agente', 'agent', '&lt;Agente&gt;'],
  ])('says of a mandate that %s wrote down for the %s: %s', (clientId, grantedBy, who) => {
    expect(textOf({ type: 'MandateCreated', orderId: null, clientId }, { grantedBy })).toContain(`${who} · 09:00`);
  });

  it.each<[Partial<HistoryLine>, string, string]>([
    [{}, '&lt;Agente&gt;', 'disponível'],
    [{ clientId: null }, 'Alçada', 'disponível'],
    [{ clientId: null, type: 'MandateRevoked', orderId: null }, 'Você', 'não gasto'],
    [{ type: 'MandateRevoked', orderId: null }, '&lt;Agente&gt;', 'não gasto'],
    [{ clientId: null, type: 'MandateExpired', orderId: null }, 'Alçada', 'não gasto'],
  ])('%j says who did it, when, and the balance', (change, who, left) => {
    expect(textOf(change)).toMatch(new RegExp(`${who} · 09:00 ${left} R\\$\u00a020,10$`));
  });

  it.each(['MandateRequested', 'MandateApproved'] as const)('%s says no balance: nothing was available yet', (type) => {
    expect(textOf({ type, orderId: null, clientId: null })).toMatch(/ 09:00$/);
  });

  it.each<[string, Actor, Actor['clientId'], string]>([
    ['the traveller', { holder: 'ana', clientId: null }, null, 'Você'],
    ['the traveller, where an agent found it open', { holder: 'ana', clientId: null }, 'agente', 'Você'],
    ['the agent', { holder: 'ana', clientId: 'agente' }, 'agente', '&lt;Agente&gt;'],
    ['the agent, where recovery finished it', { holder: 'ana', clientId: 'agente' }, null, '&lt;Agente&gt;'],
    ['the operator, where an agent found it open', SYSTEM, 'agente', 'Alçada'],
  ])('is a refund of who cancelled the order: %s', (_, canceller, clientId, who) => {
    const cancellers = new Map([['o1', canceller]]);
    expect(textOf({ type: 'MandateRefunded', clientId }, { cancellers })).toContain(
      `+${SUM} Devolvido: compra cancelada. ${who} · `,
    );
  });

  it('leads to its purchase, and has no balance of what nobody granted or of what was refused', () => {
    const { text } = statementRows({ entries: [[line]], nextCursor: null }, actors);
    expect(text).toContain(`href="/conta/pedidos/o1">${ROUTE}</a>`);
    const asked = statementRows({ entries: [[{ ...line, type: 'MandateRequested' }]], nextCursor: null }, actors, {
      isGranted: false,
    });
    expect(asked.text).not.toContain('20,10');
    expect(textOf({ type: 'MandateChargeRefused', refused })).not.toContain('disponível');
  });
});

describe('the balance of a statement', () => {
  it('is not available since the purchase that was the last one', () => {
    const lines = (['MandatePaused', 'MandateConsumed', 'MandateCreated'] as const).map((type, at): HistoryEntry => [
      { ...line, type, revision: 3 - at, orderId: null },
    ]);
    const balances = (isUsedUp: boolean) =>
      [
        ...statementRows({ entries: lines, nextCursor: null }, actors, { isUsedUp }).text.matchAll(/balance">([^ ]+)/g),
      ].map(([, words]) => words);
    expect(balances(false)).toEqual(['disponível', 'disponível', 'disponível']);
    expect(balances(true)).toEqual(['não', 'não', 'disponível']);
  });
});

describe('the lines of a statement', () => {
  const at = (revision: number, type: HistoryLine['type'], orderId = 'o1'): HistoryLine => ({
    ...line,
    revision,
    type,
    orderId,
  });
  const shown = (entries: readonly HistoryEntry[], nextCursor: string | null = null): string =>
    statementLines({ entries, nextCursor })
      .map(({ revision, type }) => `${revision} ${type.replace('Mandate', '')}`)
      .join(', ');
  const returned: HistoryEntry = [at(7, 'MandateRefunded'), at(3, 'MandateConsumed'), at(2, 'MandateReserved')];
  const between: HistoryEntry = [at(5, 'MandateConsumed', 'o2'), at(4, 'MandateReserved', 'o2')];

  it('have a purchase where it was charged and again where it came back, the newest first', () => {
    expect(shown([returned, between])).toBe('7 Refunded, 5 Consumed, 3 Consumed');
  });

  it('leave out what belongs among those of the next page, and the end of what never began', () => {
    expect(shown([returned, between], 'next')).toBe('7 Refunded, 5 Consumed');
    const fence = { ...at(9, 'MandateReleased'), amount: money(0, 'BRL') };
    expect(shown([[fence, at(8, 'MandateChargeRefused')]])).toBe('8 ChargeRefused');
    expect(shown([[fence]])).toBe('9 Released');
  });
});
