import fc from 'fast-check';
import { money } from '#kernel';
import { areWorse, type Conditions, DEFAULT_CONDITIONS, keptOf, minutesIn, NO_CONDITIONS } from './conditions.js';

const DAY = 1_440;
const order = { base: 100_01, taxes: 30_00, passengers: 3 };
const rows = (...cancellation: Conditions['cancellation']): Conditions => ({ ...DEFAULT_CONDITIONS, cancellation });
const classic = rows({ until: 'PT24H', fee: { percent: 20 } });
const stepped = rows({ until: 'P2D', fee: { percent: 0 } }, { until: 'PT2H30M', fee: money(10_00, 'BRL') });

describe('what stays with the airline', () => {
  it.each<[string, Conditions, number, number]>([
    ['nothing but the fare where there is no row', DEFAULT_CONDITIONS, 90 * DAY, 100_01],
    ['all of it where taxes stay too', NO_CONDITIONS, 90 * DAY, 130_01],
    ['a percentage of the base, rounded down once an order', classic, DAY, 20_00],
    ['the fare once no row applies', classic, DAY - 1, 100_01],
    ['what the first row says that applies', stepped, 2 * DAY, 0],
    ['an amount a passenger', stepped, 150, 30_00],
    ['never more than the base', rows({ until: 'PT0M', fee: money(50_00, 'BRL') }), 0, 100_01],
  ])('is %s', (_, conditions, minutes, kept) => expect(keptOf(conditions, order, minutes)).toBe(kept));
});

describe('a duration before departure', () => {
  it.each([
    ['P1D', DAY],
    ['P1DT2H3M', DAY + 123],
    ['PT90M', 90],
    ['P', 0],
    ['1 dia', 0],
  ])('of %s has %s minutes', (duration, minutes) => expect(minutesIn(duration)).toBe(minutes));
});

describe('conditions beside others', () => {
  const until = fc.nat(20_000).map((minutes) => `PT${minutes}M`);
  const fee = fc.oneof(
    fc.nat(100).map((percent) => ({ percent })),
    fc.nat(60_00).map((amount) => money(amount, 'BRL')),
  );
  const any: fc.Arbitrary<Conditions> = fc.record({
    cancellation: fc.array(fc.record({ until, fee }), { maxLength: 3 }),
    taxesRefundable: fc.boolean(),
    withdrawal: fc.boolean(),
  });

  it('are no worse than themselves, nor than those under which all is lost', () =>
    fc.assert(
      fc.property(any, (conditions) => {
        expect(areWorse(conditions, conditions, order)).toBe(false);
        expect(areWorse(conditions, NO_CONDITIONS, order)).toBe(false);
      }),
    ));

  it('are worse exactly where they keep more at some moment, or take a withdrawal away', () =>
    fc.assert(
      fc.property(any, any, fc.nat(25_000), (one, other, minutes) => {
        const keepsMore = keptOf(one, order, minutes) > keptOf(other, order, minutes);
        if (keepsMore || (other.withdrawal && !one.withdrawal)) expect(areWorse(one, other, order)).toBe(true);
      }),
    ));
});
