import type { GrantedMandate } from '#mandate';
import type { PlacedOrder } from '#order';
import { type AgentsContent, agentsPage } from './agents.page.js';

const at = (minute: number): string => `2026-01-31T15:0${minute}:00.000Z`;
const order = (kind: string, minute: number) =>
  ({
    kind,
    placedAt: at(minute),
    checkout: { clientId: 'c', line: { from: 'GRU', to: 'REC' } },
  }) as unknown as PlacedOrder;
const mandate = (minute: number, change: object = {}) =>
  ({ clientId: 'c', startsAt: at(minute), ...change }) as unknown as GrantedMandate;

/** What the row of the one agent says of it. `orders` and `mandates`: the newest first. */
const lastOf = (orders: readonly PlacedOrder[], mandates: readonly GrantedMandate[], isMore = false): string => {
  const agent = {
    clientId: 'c',
    authorizedAt: at(0),
    revokedAt: null,
    delegation: { status: 'authorized', cap: null, openMandates: {} },
  };
  const content = {
    session: { id: 's', traveller: { email: 'ana@example.com' } },
    urls: { site: 'http://127.0.0.1' },
    agents: { items: [agent], nextCursor: null },
    orders: { items: orders, nextCursor: isMore ? 'x' : null },
    ...{ mandates, nameOf: () => ({ name: 'Bia', pilot: false }), spendings: new Map(), idle: 0 },
    ...{ isRemoved: false, change: null },
  } as unknown as AgentsContent;
  const [, , last = ''] = [...agentsPage(content).html.matchAll(/<p class="(?:small|row-head)">([^]*?)<\/p>/g)].map(
    ([, text = '']) =>
      text
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
  );
  return last;
};

describe('what an agent did last', () => {
  const BOUGHT = 'Última compra: São Paulo → Recife, 31 jan. 2026, 12:01';

  it.each<[string, readonly PlacedOrder[], readonly GrantedMandate[], string]>([
    ['nothing', [], [], 'Nenhuma compra ainda'],
    ['a purchase', [order('paid', 1)], [mandate(0)], BOUGHT],
    ['a mandate since', [order('paid', 1)], [mandate(2)], `${BOUGHT} · recebeu um mandato em 31 jan. 2026, 12:02`],
    [
      'a mandate that waits',
      [],
      [mandate(2, { pending: {} })],
      'Nenhuma compra ainda · pediu um mandato em 31 jan. 2026, 12:02',
    ],
    [
      'a try since',
      [order('failed', 3), order('paid', 1)],
      [mandate(2)],
      `${BOUGHT} · tentou comprar São Paulo → Recife em 31 jan. 2026, 12:03`,
    ],
    [
      'a mandate since its try',
      [order('failed', 3), order('paid', 1)],
      [mandate(4)],
      `${BOUGHT} · recebeu um mandato em 31 jan. 2026, 12:04`,
    ],
  ])('is %s', (_, orders, mandates, text) => expect(lastOf(orders, mandates)).toBe(text));

  it('may be older than what was read', () => expect(lastOf([], [mandate(2)], true)).toMatch(/^recebeu/));
});
