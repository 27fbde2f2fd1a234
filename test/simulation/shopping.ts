import fc from 'fast-check';
import type { CARDS } from '../support/market.js';

/** What somebody does with a checkout session, which goes by its place in the world. */
export type Shopping = {
  readonly do: 'shop';
  readonly session: number;
  /** At which of its calls the process that is asked stands still, and for how many seconds. */
  readonly stands?: { readonly calls: number; readonly seconds: number };
} & (
  | { readonly what: 'complete'; readonly card: keyof typeof CARDS; readonly isKeyed: boolean }
  /** The platform says that it is for so many. */
  | { readonly what: 'change'; readonly seats: number }
  | { readonly what: 'cancel' | 'look' }
  /** The traveller presses a button of its page. */
  | { readonly what: 'press'; readonly card: keyof typeof CARDS }
  | { readonly what: 'refuse' }
  /** The traveller answers its challenge. */
  | { readonly what: 'decide'; readonly decision: 'approve' | 'deny' }
);

const card = fc.constantFrom<keyof typeof CARDS>('good', 'good', 'good', 'challenged', 'declined');

/** What somebody does with a session, mostly to buy it. */
export const shopping = (session: number): fc.Arbitrary<Shopping> => {
  const of = { do: fc.constant('shop'), session: fc.constant(session) } as const;
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ ...of, what: fc.constant('complete'), card, isKeyed: fc.boolean() }),
    },
    { weight: 7, arbitrary: fc.record({ ...of, what: fc.constant('press'), card }) },
    { weight: 3, arbitrary: fc.record({ ...of, what: fc.constant('change'), seats: fc.integer({ min: 1, max: 2 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        ...of,
        what: fc.constant('decide'),
        decision: fc.constantFrom('approve', 'approve', 'deny'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ ...of, what: fc.constantFrom('cancel', 'look', 'look') }) },
    { weight: 1, arbitrary: fc.record({ ...of, what: fc.constant('refuse') }) },
  );
};

/** A purchase that outlives its minute, where it happens to stand still, and what is done with the session meanwhile. */
export const outlived = (
  session: number,
): fc.Arbitrary<readonly [purchase: Shopping, meanwhile: readonly Shopping[]]> => {
  const of = { do: fc.constant('shop'), session: fc.constant(session) } as const;
  const stands = fc.record({ calls: fc.integer({ min: 2, max: 40 }), seconds: fc.integer({ min: 61, max: 130 }) });
  const good = fc.constant<keyof typeof CARDS>('good');
  const purchase = fc.oneof(
    fc.record({ ...of, what: fc.constant('complete'), card: good, isKeyed: fc.boolean(), stands }),
    fc.record({ ...of, what: fc.constant('press'), card: good, stands }),
  );
  const change = fc.oneof(
    { weight: 2, arbitrary: fc.record({ ...of, what: fc.constant('change'), seats: fc.integer({ min: 1, max: 2 }) }) },
    { weight: 2, arbitrary: fc.record({ ...of, what: fc.constant('cancel') }) },
    { weight: 1, arbitrary: fc.record({ ...of, what: fc.constant('press'), card }) },
  );
  return fc.tuple(
    purchase,
    fc.tuple(change, fc.array(shopping(session), { maxLength: 2 })).map(([first, others]) => [first, ...others]),
  );
};
