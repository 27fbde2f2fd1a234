import { money } from '#kernel';
import type { AgentName } from '../layout/agent-names.js';
import type { Happening } from '../../happenings.projection.js';
import { feedItems, feedPart } from './feed.js';
import type { NamedHappening } from './happenings.js';

const AT = '2026-01-31T12:00:00.000Z';
const LIMIT = money(500_00, 'BRL');

/** What only the feed reads of what happened, of a mandate and of an order. */
const told = (type: Happening['type'], more: object): NamedHappening =>
  ({ at: AT, type, clientId: 'c', isByAgent: true, ...more }) as unknown as NamedHappening;
const ofMandate = (type: Happening['type'], more: object = {}, mandate: object = {}) =>
  told(type, { mandate: { mandateId: 'm', limit: LIMIT, ...mandate }, ...more });
const ofOrder = (type: Happening['type'], order: object) => {
  const checkout = { orderId: 'o', line: { from: 'GRU', to: 'CNF' }, total: money(279_90, 'BRL') };
  return told(type, { order: { checkout, challenge: null, ...order } });
};
const BIA: AgentName = { name: 'Bia', pilot: false };
const feed = (...happened: readonly NamedHappening[]) =>
  feedItems(happened, () => BIA).map(({ outcome, title, note, path }) => [
    outcome,
    `${title}${note && ` | ${note}`}`.replaceAll('\u00a0', ' '),
    path,
  ]);
const titles = (...happened: readonly NamedHappening[]) => feed(...happened).map(([, title]) => title);

describe('what happened, on the account’s first page', () => {
  it('is told of orders: bought, refused with the reason, and returned', () => {
    const refund = (amount: number) => ({ kind: 'cancelled', cancellation: { refund: money(amount, 'BRL') } });
    const path = '/conta/pedidos/o';
    expect(
      feed(
        ofOrder('OrderPaid', { kind: 'paid' }),
        ofOrder('OrderFailed', { kind: 'failed', failedAt: AT, failure: 'payment_declined' }),
        ofOrder('OrderCancelled', refund(200_00)),
        ofOrder('OrderCancelled', refund(0)),
        ofOrder('OrderPaid', refund(200_00)),
      ),
    ).toEqual([
      ['bought', 'São Paulo → Belo Horizonte, R$ 279,90', path],
      ['refused', expect.stringContaining('R$ 279,90 | Não comprada. O pagamento foi recusado'), path],
      ['returned', 'São Paulo → Belo Horizonte | Compra cancelada: R$ 200,00 devolvidos', path],
      ['returned', 'São Paulo → Belo Horizonte | Compra cancelada, sem nada a devolver', path],
      ['bought', 'São Paulo → Belo Horizonte, R$ 279,90', path],
    ]);
    // Its list does not show yet what became of it.
    expect(feed(ofOrder('OrderFailed', { kind: 'pending' }))).toEqual([]);
  });

  it('stands by the day of São Paulo, of which the last two have names', () => {
    const paidAt = (at: string) => ({ ...ofOrder('OrderPaid', { kind: 'paid' }), at });
    const items = ['2026-02-01T02:30:00.000Z', '2026-01-31T02:30:00.000Z', '2026-01-30T02:30:00.000Z'].map(paidAt);
    const happened = { items, nextCursor: null, isWithinDay: false };
    const shown = feedPart({ now: '2026-02-01T01:00:00.000Z', happened, nameOf: () => BIA });
    expect([...(shown ? shown.text : '').matchAll(/<h3 class="day">([^<]*)/g)].map(([, day]) => day)).toEqual([
      'Hoje',
      'Ontem',
      '29 jan. 2026',
    ]);
  });

  it('gathers what was refused again and again, and nothing else', () => {
    const refused = { refused: { reason: 'mandate_limit_exceeded', amount: LIMIT } };
    const paused = ofMandate('MandatePaused');
    const items = [
      ofMandate('MandateChargeRefused', refused),
      ofMandate('MandateChargeRefused', refused),
      paused,
      paused,
    ];
    const happened = { items, nextCursor: null, isWithinDay: false };
    const shown = feedPart({ now: AT, happened, nameOf: () => BIA });
    const lines = (shown ? shown.text : '').split('<li').slice(1);
    expect(lines.map((line) => /\d vezes/.exec(line.replaceAll('\u00a0', ' '))?.[0])).toEqual([
      '2 vezes',
      undefined,
      undefined,
    ]);
  });

  it('is told of what a mandate refused, with what was to be bought and why not', () => {
    const refused = { reason: 'mandate_limit_exceeded', amount: money(900_00, 'BRL'), from: 'GRU', to: 'REC' };
    const why = 'Recusada. O valor ultrapassa o teto do mandato; nada foi cobrado.';
    expect(feed(ofMandate('MandateChargeRefused', { refused }))).toEqual([
      ['refused', `São Paulo → Recife, R$ 900,00 | ${why}`, '/conta/mandatos/m'],
    ]);
  });

  it('says what an agent may spend since, by its name', () => {
    const [byTraveller, all, asked] = [{ isByAgent: false }, { isOfAll: true }, { pending: { approved: null } }];
    expect(
      titles(
        ofMandate('MandateExpired'),
        ofMandate('MandateNarrowed', { limit: money(300_00, 'BRL') }),
        ofMandate('MandateCreated', { limit: LIMIT }),
        ofMandate('MandateApproved', { limit: LIMIT }),
        ofMandate('MandatePaused'),
        ofMandate('MandateRevoked', byTraveller),
        ofMandate('MandateRevoked'),
        ofMandate('MandateResumed', all),
      ),
    ).toEqual([
      'Encerrado por prazo: o mandato de Bia, de até R$ 500,00',
      'Você reduziu: Bia pode gastar até R$ 300,00',
      'Bia pode gastar até R$ 500,00',
      'Você permitiu: Bia pode gastar até R$ 500,00',
      'Você pausou o mandato de Bia, de até R$ 500,00',
      'Você encerrou o mandato de Bia, de até R$ 500,00',
      'Bia encerrou o mandato de até R$ 500,00',
      'Você retomou todos os agentes',
    ]);
    expect(feed(ofMandate('MandatePaused', all))).toEqual([
      ['changed', 'Você pausou todos os agentes', '/conta/pausa'],
    ]);
    expect(
      titles(
        ofMandate('MandateRevoked', byTraveller, asked),
        ofMandate('MandateRevoked', {}, asked),
        ofMandate('MandateExpired', {}, asked),
        ofMandate('MandateRequested', { limit: LIMIT }, asked),
      ),
    ).toEqual([
      'Você recusou o pedido de Bia, de até R$ 500,00',
      'Bia retirou o pedido de até R$ 500,00',
      'Sem resposta a tempo: o pedido de Bia, de até R$ 500,00',
      'Bia pediu para gastar até R$ 500,00',
    ]);
  });

  it('names an agent that nobody checked by what it calls itself, and says so beside it', () => {
    const stranger = { name: 'Bia (abre bia.example, não verificado)', title: 'Bia', pilot: false };
    const refused = { reason: 'mandate_limit_exceeded', amount: LIMIT };
    const happened = [
      ofMandate('MandateCreated', { limit: LIMIT }),
      ofMandate('MandateChargeRefused', { refused }),
      ofOrder('OrderPaid', { kind: 'paid' }),
    ];
    expect(feedItems(happened, () => stranger).map(({ by }) => by)).toEqual([
      'não verificado',
      'Bia, não verificado',
      'Bia, não verificado',
    ]);
    expect(feedItems(happened, () => BIA).map(({ by }) => by)).toEqual(['', 'Bia', 'Bia']);
    expect(feedItems(happened, () => stranger)[0]?.title.replaceAll('\u00a0', ' ')).toBe(
      'Bia pode gastar até R$ 500,00',
    );
  });
});
