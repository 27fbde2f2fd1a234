import { BAGGAGE, type Fare } from '#events';
import { money } from '#kernel';
import fc from 'fast-check';
import { conditionsView } from '#site';
import { quoteFares } from './fare-quote.view.js';
import { sampleFare } from './testing/index.js';

const quote = (fares: readonly Fare[], budget = 1000_00, passengers = 1) =>
  quoteFares({ fares, currency: 'BRL' }, budget, passengers);
const bestOf = (...fares: readonly Fare[]) => quote(fares).bestByConstraints?.fareCode ?? null;

describe('a fare under a budget', () => {
  it('is priced for the whole party', () =>
    expect(quote([sampleFare({ price: 300_00, taxes: 20_00 })], 1000_00, 3)).toEqual({
      budget: money(1000_00, 'BRL'),
      options: [
        {
          fareCode: 'CLASSICA',
          fareName: 'Clássica',
          baggage: 'checked',
          hasCheckedBag: true,
          arrivesSameDay: true,
          arrivalTime: '18:45',
          arrivalDayOffset: 0,
          unitPrice: money(300_00, 'BRL'),
          passengers: 3,
          total: money(900_00, 'BRL'),
          line: { base: money(840_00, 'BRL'), taxes: money(60_00, 'BRL') },
          conditions: conditionsView(),
          fitsBudget: true,
          budgetDelta: money(100_00, 'BRL'),
          reasons: [],
        },
      ],
      bestByConstraints: expect.objectContaining({ fareCode: 'CLASSICA' }),
    }));

  it('fits a budget it equals and not one a cent smaller', () => {
    const fares = [sampleFare({ price: 500_00 })];
    expect(quote(fares, 500_00).options).toMatchObject([
      { fitsBudget: true, budgetDelta: money(0, 'BRL'), reasons: [] },
    ]);
    expect(quote(fares, 499_99).options).toMatchObject([
      { fitsBudget: false, budgetDelta: money(-1, 'BRL'), reasons: ['over_budget'] },
    ]);
  });

  it('says all that it falls short of', () =>
    expect(quote([sampleFare({ baggage: 'none', arrivalDayOffset: 1 })], 0).options).toMatchObject([
      { reasons: ['over_budget', 'arrives_next_day', 'no_checked_bag'] },
    ]));

  it('stands by its total, then by its code', () => {
    const fares = ['b', 'a', 'B'].map((code) => sampleFare({ code, price: 2 }));
    const { options } = quote([...fares, sampleFare({ code: 'z', price: 1 })]);
    expect(options.map(({ fareCode }) => fareCode)).toEqual(['z', 'B', 'a', 'b']);
  });
});

describe('the best by constraints', () => {
  const bare = sampleFare({ code: 'BARE', price: 1, baggage: 'none' });
  const nextDay = sampleFare({ code: 'NEXT', price: 2, arrivalDayOffset: 1 });

  it('is the cheapest that arrives the same day with a checked bag', () =>
    expect(bestOf(bare, nextDay, sampleFare({ code: 'DEAR', price: 4 }), sampleFare({ code: 'FAIR', price: 3 }))).toBe(
      'FAIR',
    ));
  it('may include a chosen seat', () => expect(bestOf(bare, sampleFare({ baggage: 'checked+seat' }))).toBe('CLASSICA'));
  it('is none where no fare has a checked bag', () => expect(bestOf(bare)).toBeNull());
  it('is none where all with a checked bag arrive the next day', () => expect(bestOf(bare, nextDay)).toBeNull());
  it('is the first code of equally cheap ones', () =>
    expect(bestOf(sampleFare({ code: 'CLUBE' }), sampleFare({ code: 'CLASSICA' }))).toBe('CLASSICA'));
  it('is told also where it does not fit the budget', () =>
    expect(quote([sampleFare()], 0).bestByConstraints).toMatchObject({ fitsBudget: false, reasons: ['over_budget'] }));
});

const fare: fc.Arbitrary<Fare> = fc.record({
  code: fc.string({ minLength: 1, maxLength: 4 }),
  name: fc.constant('Tarifa'),
  price: fc.integer({ min: 1, max: 100_000_000_000 }),
  arrivalTime: fc.constant('12:00'),
  arrivalDayOffset: fc.integer({ min: 0, max: 2 }),
  baggage: fc.constantFrom(...BAGGAGE),
});
const fares = fc.uniqueArray(fare, { selector: ({ code }) => code, minLength: 1, maxLength: 6 });
const budget = fc.oneof(fc.integer({ min: 0, max: 999_999_999_999 }), fc.integer({ min: 0, max: 3 }));
const passengers = fc.integer({ min: 1, max: 9 });

describe('every quote', () => {
  it('keeps its sums, and its reasons are what the fare is not', () =>
    fc.assert(
      fc.property(fares, budget, passengers, (offered, limit, party) => {
        for (const option of quote(offered, limit, party).options) {
          expect(option.total.amount).toBe(option.unitPrice.amount * party);
          expect(option.total.amount + option.budgetDelta.amount).toBe(limit);
          expect(option.fitsBudget).toBe(option.budgetDelta.amount >= 0);
          expect(option.reasons.includes('over_budget')).toBe(!option.fitsBudget);
          expect(option.reasons.includes('arrives_next_day')).toBe(!option.arrivesSameDay);
          expect(option.reasons.includes('no_checked_bag')).toBe(!option.hasCheckedBag);
        }
      }),
    ));

  it('does not depend on the order in which the fares stand', () =>
    fc.assert(
      fc.property(fares, budget, passengers, (offered, limit, party) =>
        expect(quote([...offered].reverse(), limit, party)).toEqual(quote(offered, limit, party)),
      ),
    ));

  it('names as best one of its options, and no cheaper one qualifies', () =>
    fc.assert(
      fc.property(fares, budget, passengers, (offered, limit, party) => {
        const { options, bestByConstraints } = quote(offered, limit, party);
        const qualified = options.filter(({ arrivesSameDay, hasCheckedBag }) => arrivesSameDay && hasCheckedBag);
        expect(bestByConstraints === null).toBe(qualified.length === 0);
        if (!bestByConstraints) return;
        expect(qualified).toContainEqual(bestByConstraints);
        expect(bestByConstraints.total.amount).toBe(Math.min(...qualified.map(({ total }) => total.amount)));
      }),
    ));
});
