import { type Currency, type Money, money } from '#kernel';
import fc from 'fast-check';

/** Something that happens to an agent: its traveller consents, it opens a mandate, one of its mandates is closed. */
export type Step =
  | { readonly kind: 'consent'; readonly cap: Money | null | undefined }
  | { readonly kind: 'open'; readonly limit: Money }
  | { readonly kind: 'close'; readonly which: number; readonly share: number };

const someMoney = (max: number) =>
  fc
    .tuple(fc.integer({ min: 1, max }), fc.constantFrom<Currency>('BRL', 'BRL', 'BRL', 'USD'))
    .map(([amount, currency]) => money(amount, currency));

const consent = fc.record({
  kind: fc.constant('consent' as const),
  cap: fc.oneof(someMoney(3_000), someMoney(3_000), fc.constant(null), fc.constant(undefined)),
});
const open = fc.record({ kind: fc.constant('open' as const), limit: someMoney(1_000) });
const close = fc.record({
  kind: fc.constant('close' as const),
  which: fc.nat(20),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Any sequence of steps, most of them openings. */
export const steps = (maxLength: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.oneof({ weight: 1, arbitrary: consent }, { weight: 4, arbitrary: open }, { weight: 3, arbitrary: close }),
    { maxLength },
  );
