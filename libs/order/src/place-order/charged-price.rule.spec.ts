import { DEFAULT_CONDITIONS, NO_CONDITIONS } from '#events';
import { money } from '#kernel';
import { chargedPrice, isNamed, type NamedPrice } from './charged-price.rule.js';

const brl = (amount: number) => money(amount, 'BRL');
const usd = (amount: number) => money(amount, 'USD');
const EXPIRES = '2026-01-15T12:30:00.000Z';
const promised = { total: brl(500), taxes: brl(50), expiresAt: EXPIRES, passengers: 1 };
const now = (cents: number) => ({ total: brl(cents), taxes: brl(60) });
const naming = (named: Partial<NamedPrice> = {}): NamedPrice => ({
  expectedTotal: undefined,
  acceptUpTo: undefined,
  ...named,
});
const priceOf = (today: ReturnType<typeof now> | null, named: Partial<NamedPrice> = {}): unknown => {
  try {
    return chargedPrice(promised, today, naming(named));
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

describe('the price of an order (rule 34)', () => {
  it.each([
    ['holds while it is promised', null, {}, { total: brl(500), taxes: brl(50) }],
    ['holds for who expects it', null, { expectedTotal: brl(500) }, { total: brl(500), taxes: brl(50) }],
    ['holds for who would pay more', null, { acceptUpTo: brl(900) }, { total: brl(500), taxes: brl(50) }],
    ['is not another one while it is promised', null, { expectedTotal: brl(480) }, 'total_changed'],
    ['is not more than the order accepts', null, { acceptUpTo: brl(499) }, 'total_changed'],
    ['is not accepted in another currency', null, { acceptUpTo: usd(900) }, 'total_changed'],
    ['is that of today afterwards', now(500), {}, now(500)],
    ['is the lower one afterwards', now(480), {}, now(480)],
    ['is the lower one for who expects what was promised', now(480), { expectedTotal: brl(500) }, now(480)],
    ['is the lower one for who expects it', now(480), { expectedTotal: brl(480) }, now(480)],
    ['is not the lower one for who expects another', now(480), { expectedTotal: brl(490) }, 'total_changed'],
    ['is not the lower one for who accepts less', now(480), { acceptUpTo: brl(479) }, 'total_changed'],
    ['is not a higher one for who names nothing', now(520), {}, 'offer_expired'],
    ['is not a higher one for who expects what was promised', now(520), { expectedTotal: brl(500) }, 'offer_expired'],
    ['is not a higher one for who expects another', now(520), { expectedTotal: brl(510) }, 'total_changed'],
    ['is not a higher one for who accepts less', now(520), { acceptUpTo: brl(519) }, 'offer_expired'],
    ['is not a higher one for who accepts another currency', now(520), { acceptUpTo: usd(900) }, 'offer_expired'],
    [
      'is the higher one for who expects it',
      now(520),
      { expectedTotal: brl(520) },
      { ...now(520), accepted: brl(520) },
    ],
    ['is the higher one for who accepts it', now(520), { acceptUpTo: brl(530) }, { ...now(520), accepted: brl(530) }],
    [
      'is the higher one for who expects what was promised and accepts it',
      now(520),
      { expectedTotal: brl(500), acceptUpTo: brl(520) },
      { ...now(520), accepted: brl(520) },
    ],
    [
      'is not what is expected where less is accepted',
      now(520),
      { expectedTotal: brl(520), acceptUpTo: brl(510) },
      'total_changed',
    ],
  ])('%s', (_, today, named, price) => {
    expect(priceOf(today, named)).toEqual(price);
  });

  it('says what was promised until when, and what it is now', () => {
    expect(() => chargedPrice(promised, now(520), naming())).toThrow(
      expect.objectContaining({ details: { previous: brl(500), current: brl(520), expiresAt: EXPIRES } }),
    );
  });

  it('holds with its conditions, and afterwards on none that are worse, whatever is named', () => {
    const fee = (percent: number) => ({ ...DEFAULT_CONDITIONS, cancellation: [{ until: 'PT24H', fee: { percent } }] });
    const classic = { ...promised, conditions: fee(20) };
    const soft = { ...now(500), conditions: fee(10) };
    const hard = { ...now(480), conditions: fee(30) };
    expect(chargedPrice(classic, null, naming())).toMatchObject({ conditions: fee(20) });
    expect(chargedPrice(classic, soft, naming())).toEqual(soft);
    expect(chargedPrice(promised, hard, naming())).toEqual(hard);
    const conditions = { previous: fee(20), current: fee(30) };
    const details = { previous: brl(500), current: brl(480), expiresAt: EXPIRES, conditions };
    for (const named of [{}, { expectedTotal: brl(480) }, { acceptUpTo: brl(900) }])
      expect(() => chargedPrice(classic, hard, naming(named))).toThrow(
        expect.objectContaining({ code: 'offer_expired', details }),
      );
    expect(() => chargedPrice(classic, now(480), naming())).toThrow(
      expect.objectContaining({ details: { ...details, conditions: { ...conditions, current: NO_CONDITIONS } } }),
    );
  });

  it('is never higher than a request names, whoever completes the order', () => {
    expect(isNamed(brl(520), brl(500), naming())).toBe(false);
    expect(isNamed(brl(520), brl(500), naming({ acceptUpTo: brl(520) }))).toBe(true);
    expect(isNamed(brl(480), brl(500), naming({ expectedTotal: brl(500) }))).toBe(true);
  });
});
