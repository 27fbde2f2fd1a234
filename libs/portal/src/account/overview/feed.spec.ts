import { money } from '#kernel';
import { type HistoryLine } from '#mandate';
import type { PlacedOrder } from '#order';
import { feedItems } from './feed.js';

const at = (hour: number): string => `2026-01-31T${String(hour).padStart(2, '0')}:00:00.000Z`;
const line = (type: HistoryLine['type'], hour: number, more: Partial<HistoryLine> = {}): HistoryLine => ({
  ...{ revision: hour, type, occurredAt: at(hour), clientId: 'c', orderId: null, amount: money(500_00, 'BRL') },
  ...{ remaining: money(0, 'BRL'), reason: null, refused: null, hash: '', previousHash: '', ...more },
});
const refusal = (hour: number, orderId: string | null = null) =>
  line('MandateChargeRefused', hour, {
    orderId,
    refused: {
      ...{ orderId, reason: 'mandate_limit_exceeded', amount: money(900_00, 'BRL'), refusedAt: at(hour) },
      ...{ flightNumber: 'AL1001', from: 'GRU', to: 'REC' },
    },
  });
const order = (orderId: string, hour: number, more: object): PlacedOrder =>
  ({
    checkout: { orderId, clientId: 'c', line: { from: 'GRU', to: 'CNF' }, total: money(279_90, 'BRL') },
    placedAt: at(hour),
    challenge: null,
    ...more,
  }) as unknown as PlacedOrder; // only what the feed reads of one
const paid = (id: string, hour: number) => order(id, hour, { kind: 'paid', payment: { capturedAt: at(hour) } });
const MANDATE = { mandateId: 'm', clientId: 'c', limit: money(500_00, 'BRL') };
const feed = (
  orders: readonly PlacedOrder[],
  lines: readonly HistoryLine[],
  cursors: (string | null)[] = [null, null],
  more: object = {},
) =>
  feedItems({
    nameOf: () => ({ name: 'Bia', pilot: false }),
    orders: { items: orders, count: orders.length, nextCursor: cursors[0] ?? null },
    histories: [
      {
        mandate: { ...MANDATE, ...more } as never /* the same */,
        history: { entries: lines.map((one) => [one]), nextCursor: cursors[1] ?? null },
      },
    ],
  }).map(({ outcome, title, note }) => [outcome, `${title}${note && ` | ${note}`}`.replaceAll('\u00a0', ' ')]);

describe('what happened, on the account’s first page', () => {
  it('is told newest first: bought, refused with the reason, returned, and what was decided', () => {
    const cancelled = order('o3', 4, {
      kind: 'cancelled',
      payment: { capturedAt: at(4) },
      cancellation: { refund: money(200_00, 'BRL') },
      cancelledAt: at(9),
    });
    const failed = order('o2', 6, { kind: 'failed', failedAt: at(6), failure: 'payment_declined' });
    expect(feed([paid('o1', 8), failed, cancelled], [refusal(7), line('MandatePaused', 5)])).toEqual([
      ['returned', 'São Paulo → Belo Horizonte | Compra cancelada: R$ 200,00 devolvidos'],
      ['bought', 'São Paulo → Belo Horizonte, R$ 279,90'],
      ['refused', 'São Paulo → Recife, R$ 900,00 | Recusada. O valor ultrapassa o teto do mandato; nada foi cobrado.'],
      ['refused', expect.stringContaining('R$ 279,90 | Não comprada. O pagamento foi recusado')],
      ['changed', 'Você pausou o mandato de Bia, de até R$ 500,00'],
      ['bought', 'São Paulo → Belo Horizonte, R$ 279,90'],
    ]);
  });

  it('says what an agent may spend since, by its name', () => {
    const told = (lines: readonly HistoryLine[], more: object = {}) =>
      feed([], lines, [null, null], more).map(([, title]) => title);
    const byNobody = { clientId: null };
    expect(told([line('MandateCreated', 3), line('MandateNarrowed', 4), line('MandateExpired', 5)])).toEqual([
      'Encerrado por prazo: o mandato de Bia, de até R$ 500,00',
      'Você reduziu: Bia pode gastar até R$ 500,00',
      'Bia pode gastar até R$ 500,00',
    ]);
    expect(told([line('MandateRevoked', 3, byNobody), line('MandateResumed', 2, { isOfAll: true })])).toEqual([
      'Você encerrou o mandato de Bia, de até R$ 500,00',
      'Você retomou todos os agentes',
    ]);
    const asked = { pending: { approved: null } };
    expect(told([line('MandateRequested', 1), line('MandateRevoked', 3, byNobody)], asked)).toEqual([
      'Você recusou o pedido de Bia, de até R$ 500,00',
      'Bia pediu para gastar até R$ 500,00',
    ]);
    expect(told([line('MandateRevoked', 3), line('MandateExpired', 2)], asked)).toEqual([
      'Bia retirou o pedido de até R$ 500,00',
      'Sem resposta a tempo: o pedido de Bia, de até R$ 500,00',
    ]);
  });

  it('says of an order once what its mandate tells of it, too', () => {
    expect(feed([paid('o1', 8)], [line('MandateConsumed', 8, { orderId: 'o1' }), refusal(7, 'o1')])).toHaveLength(1);
  });

  it('says once that its traveller permitted what was asked', () => {
    const asked = [line('MandateCreated', 6), line('MandateApproved', 5), line('MandateRequested', 4)];
    expect(feed([], asked)).toEqual([
      ['changed', 'Você permitiu: Bia pode gastar até R$ 500,00'],
      ['changed', 'Bia pediu para gastar até R$ 500,00'],
    ]);
  });

  it('ends where a list was cut off, so that nothing is missing between what it shows', () => {
    expect(feed([paid('o1', 8), paid('o2', 5)], [line('MandatePaused', 3)], ['next', null])).toHaveLength(2);
    expect(feed([paid('o1', 8), paid('o2', 5)], [line('MandatePaused', 7)], [null, 'next'])).toHaveLength(2);
  });
});
