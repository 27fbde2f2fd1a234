import { Ap2Error } from './ap2-error.js';
import type { PaymentConstraint } from './mandate-content.js';
import { termsOf } from './mandate-terms.js';

const NOW = new Date('2026-11-27T12:00:00Z');
const DAY = 86_400_000;
const in_ = (days: number) => NOW.getTime() + days * DAY;

const REFERENCE: PaymentConstraint = { type: 'payment.reference', conditional_transaction_id: 'x' };
const RANGE: PaymentConstraint = { type: 'payment.amount_range', currency: 'BRL', min: 100, max: 70_000 };
const BUDGET: PaymentConstraint = { type: 'payment.budget', currency: 'BRL', max: 1_500.55 };
const ON_DEMAND: PaymentConstraint = { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND', max_occurrences: 3 };
const reais = (amount: number) => ({ amount, currency: 'BRL' });

const terms = (
  constraints: readonly PaymentConstraint[],
  issuedAt: number | null = in_(0),
  endsAt: number | null = in_(1),
) => {
  try {
    return termsOf({ constraints: [REFERENCE, ...constraints], issuedAt, endsAt }, NOW);
  } catch (error) {
    return error instanceof Ap2Error ? error.code : error;
  }
};

describe('the terms for an open payment mandate', () => {
  it('are one order of at most its amount', () => {
    expect(terms([RANGE])).toEqual({
      limit: reais(70_000),
      expiresAt: new Date(in_(1)),
      constraints: { maxOrders: 1, orderTotal: { min: reais(100), max: reais(70_000) } },
    });
  });

  it.each<[string, object, readonly PaymentConstraint[]]>([
    ['its budget', { limit: reais(150_055), constraints: { maxOrders: 1 } }, [BUDGET]],
    [
      'so many orders of its budget',
      { limit: reais(150_055), constraints: { maxOrders: 3 } },
      [BUDGET, RANGE, ON_DEMAND],
    ],
    [
      'one order where days have to lie between two',
      { constraints: { maxOrders: 1 } },
      [BUDGET, RANGE, { ...ON_DEMAND, frequency: 'DAILY' }],
    ],
    [
      'as many orders as the budget pays',
      { constraints: { orderTotal: { max: reais(70_000) } } },
      [BUDGET, RANGE, { ...ON_DEMAND, max_occurrences: undefined }],
    ],
  ])('are %s', (_, expected, constraints) => {
    expect(terms(constraints)).toMatchObject(expected);
  });

  it.each<[string, number | null, number | null, number]>([
    ['when it ends', in_(-1), in_(3), in_(3)],
    ['seven days after it was signed, if it ends later', in_(-1), in_(30), in_(6)],
    ['seven days after it was signed, if it does not say', in_(-2), null, in_(5)],
    ['seven days from now, if the clock of who signed it is fast', in_(0.001), null, in_(7)],
    ['when it ends, if it does not say when it was signed', null, in_(7), in_(7)],
  ])('end %s', (_, issuedAt, endsAt, end) => {
    expect(terms([RANGE], issuedAt, endsAt)).toMatchObject({ expiresAt: new Date(end) });
  });

  it('have the ceiling of our own mandates, where it is higher', () => {
    const most = { limit: reais(10 ** 12), constraints: { orderTotal: { max: reais(10 ** 12) } } };
    expect(
      terms([
        { ...BUDGET, max: 90_071_992_547_409 },
        { ...RANGE, max: Number.MAX_SAFE_INTEGER },
      ]),
    ).toMatchObject(most);
  });

  it('have no least amount where that is nothing', () => {
    expect(terms([{ ...RANGE, min: 0 }])).toMatchObject({ constraints: { orderTotal: { max: reais(70_000) } } });
    expect(terms([{ ...RANGE, min: 0 }])).not.toHaveProperty('constraints.orderTotal.min');
  });

  it.each<[string, unknown]>([
    ['no ceiling', terms([])],
    ['a ceiling of nothing', terms([{ ...RANGE, min: 0, max: 0 }])],
    ['a recurrence without a budget', terms([RANGE, ON_DEMAND])],
    ['a recurrence without an amount', terms([BUDGET, ON_DEMAND])],
    ['two budgets', terms([BUDGET, BUDGET])],
    ['a budget and an amount in different currencies', terms([{ ...BUDGET, currency: 'USD' }, RANGE])],
    ['a currency that nobody here knows', terms([{ ...BUDGET, currency: 'JPY' }])],
    ['half a cent', terms([{ ...BUDGET, max: 10.005 }])],
    ['an amount in a currency that nobody here knows', terms([{ ...RANGE, currency: 'JPY' }])],
    ['eight days ago', terms([RANGE], in_(-8), null)],
    ['an end in eight days and no beginning', terms([RANGE], null, in_(8))],
    ['neither end nor beginning', terms([RANGE], null, null)],
  ])('are none for %s', (_, refused) => {
    expect(refused).toBe('mandate_scope_mismatch');
  });

  it('are none where it belongs to no checkout mandate', () => {
    expect(() => termsOf({ constraints: [RANGE], issuedAt: in_(0), endsAt: null }, NOW)).toThrow('payment.reference');
  });
});
