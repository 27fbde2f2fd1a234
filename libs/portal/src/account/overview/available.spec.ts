import { type Currency, money } from '#kernel';
import type { GrantedMandate } from '#mandate';
import { type Available, availablePart } from './available.js';

const mandate = (limit: number, change: object = {}, currency: Currency = 'BRL') =>
  ({
    limit: money(limit, currency),
    consumed: 0,
    paidOrders: 0,
    reservations: [],
    constraints: {},
    ...change,
  }) as unknown as GrantedMandate;

const shown = (
  open: readonly GrantedMandate[],
  change: { readonly count?: number; readonly isExact?: boolean } = {},
) => {
  const { count = open.length, isExact = true } = change;
  const content = {
    pause: { pause: 0, phase: 'none', since: null },
    committed: { available: [money(500_00, 'BRL'), money(20_00, 'USD')], isExact },
    open: { items: open, count, nextCursor: null },
  } as unknown as Available;
  return availablePart(content)
    .text.replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

describe('what agents may still spend', () => {
  const SUM = 'R$ 500,00 + US$ 20,00 disponíveis para os seus agentes';

  it('is one number, and a bar of the open mandates in reais, less what one of them admits no order for', () => {
    const reserved = { reservations: [{ orderId: 'o', amount: 100_00 }], consumed: 50_00 };
    const once = { constraints: { maxOrders: 1 }, paidOrders: 1, consumed: 30_00 };
    const open = [mandate(300_00, reserved), mandate(200_00, once), mandate(900_00, {}, 'USD')];
    expect(shown(open)).toBe(`${SUM} Gasto R$ 80,00 Separado R$ 100,00 Disponível R$ 150,00 Em 3 mandatos abertos`);
  });

  it('has no bar where more are open than are shown, and says so where more are open than were counted', () => {
    expect(shown([mandate(300_00)], { count: 2, isExact: false })).toBe(`mais de ${SUM} Em 2 mandatos abertos`);
    expect(shown([])).toContain('Nenhum mandato está aberto: nada pode ser cobrado agora.');
    expect(shown([mandate(1, {}, 'USD')])).toBe(`${SUM} Em um mandato aberto`);
  });
});
